/** Where in the playground somebody is. Kept in the address, so that a link or a reload leads to the same place. */
export interface Place {
  readonly workspace: string;
  /** A person's name. */
  readonly as: string;
  /** A channel's name, "direct" for the person's direct message with the bot, or "home" for its Home tab. */
  readonly channel: string;
  /** The first message's ts of the thread that is open beside the channel. */
  readonly thread?: string;
}

/** Reads a place from an address's query; whatever is missing there is missing here. */
export function parsePlace(search: string): Partial<Place> {
  const query = new URLSearchParams(search);
  const found: Record<string, string> = {};
  for (const key of ["workspace", "as", "channel", "thread"]) {
    const value = query.get(key);
    if (value) found[key] = value;
  }
  return found;
}

export const formatPlace = (place: Place): string => `?${new URLSearchParams({ ...place })}`;

/** What of a workspace decides which places exist in it. */
export interface Layout {
  readonly name: string;
  readonly people: readonly { readonly name: string; readonly channels: readonly string[] }[];
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

/**
 * The nearest place that exists: an unknown workspace or person becomes the first one, a channel the person is not in becomes
 * their first channel. A thread stays only as long as its channel does.
 */
export function settlePlace(wanted: Partial<Place>, workspaces: readonly Layout[]): Place | undefined {
  const workspace = workspaces.find(({ name }) => name === wanted.workspace) ?? workspaces[0];
  const person = workspace?.people.find(({ name }) => name === wanted.as) ?? workspace?.people[0];
  if (!workspace || !person) return undefined;
  const own = workspace.channels.filter(({ id }) => person.channels.includes(id));
  const known = wanted.channel === "direct" || wanted.channel === "home" || own.some(({ name }) => name === wanted.channel);
  const channel = known && wanted.channel ? wanted.channel : (own[0]?.name ?? "direct");
  const keepsThread = wanted.thread && known && workspace.name === wanted.workspace && person.name === wanted.as;
  return { workspace: workspace.name, as: person.name, channel, ...(keepsThread && { thread: wanted.thread as string }) };
}
