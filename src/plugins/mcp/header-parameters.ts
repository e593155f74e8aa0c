/** The keyword by which a server wants a parameter repeated in a header of the request. */
const KEYWORD = "x-mcp-header";
/** A header's name. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const primitive = new Set(["string", "integer", "boolean"]);

/**
 * What is wrong with the parameters that a tool wants in headers: a name that is none or comes twice, a value that is not simple, a
 * place that need not be there. The protocol has clients leave such a tool out. Undefined: nothing is.
 */
export function headerFault(inputSchema: Readonly<Record<string, unknown>>): string | undefined {
  const seen = new Set<string>();
  const visit = (node: unknown, reachable: boolean, root = false): string | undefined => {
    if (Array.isArray(node)) return firstOf(node.map((each) => () => visit(each, false)));
    if (typeof node !== "object" || node === null) return undefined;
    const schema = node as Readonly<Record<string, unknown>>;
    const fault = KEYWORD in schema ? faultOf(schema, reachable && !root, seen) : undefined;
    if (fault) return fault;
    const { properties, ...rest } = schema;
    const named = typeof properties === "object" && properties !== null ? Object.values(properties) : [];
    return firstOf([
      ...named.map((each) => () => visit(each, reachable)),
      ...Object.values(rest).map((each) => () => (typeof each === "object" ? visit(each, false) : undefined)),
    ]);
  };
  return visit(inputSchema, true, true);
}

function faultOf(schema: Readonly<Record<string, unknown>>, reachable: boolean, seen: Set<string>): string | undefined {
  const name = schema[KEYWORD];
  if (!reachable) return "it wants a parameter in a header that need not be there";
  if (typeof name !== "string" || !token.test(name)) return "it wants a parameter in a header whose name is none";
  if (typeof schema.type !== "string" || !primitive.has(schema.type)) return "it wants a parameter in a header that is no simple value";
  if (seen.has(name.toLowerCase())) return "it wants two parameters in one header";
  seen.add(name.toLowerCase());
  return undefined;
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
    if (found) return found;
  }
  return undefined;
}
