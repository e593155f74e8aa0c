/** JSON with the keys of all objects in order, so that equal values have equal text. What JSON cannot say is null. */
export function canonicalJson(value: unknown, indent?: number): string {
  const ordered = (_key: string, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, ordered, indent) ?? "null";
}
