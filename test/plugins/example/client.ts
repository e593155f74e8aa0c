/** The wall clock of a place, e.g. "14:05"; nothing when there is no such time zone. Knows nothing of agents. */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    return now.toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  } catch {
    return undefined;
  }
}
