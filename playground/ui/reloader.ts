/** Loads what is to be shown, one request at a time. */
export interface Reloader {
  /** Loads; once more afterwards when a load is under way. */
  load(): void;
  /** Says that something has happened: a load that is under way may not have it and is followed by another. */
  happened(): void;
}

/**
 * Between a snapshot and the events that follow it something can be lost, and of two snapshots the older may come last: so there is one at
 * a time, and another one when anything happened meanwhile.
 * @param load shows what it got, and never rejects
 */
export function reloader(load: () => Promise<unknown>): Reloader {
  let loading = false;
  let again = false;
  const run = async () => {
    loading = true;
    do {
      again = false;
      await load();
    } while (again);
    loading = false;
  };
  const happened = () => {
    again ||= loading;
  };
  return { load: () => (loading ? happened() : void run()), happened };
}
