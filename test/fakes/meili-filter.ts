/** A filter as Meilisearch reads it, as far as `=`, `!=`, `IN [...]`, AND, OR, NOT and brackets go. */
export interface Filter {
  /** Attributes that it asks for. */
  readonly attributes: ReadonlySet<string>;
  holds(document: Readonly<Record<string, unknown>>): boolean;
}

/** @throws Error when it is no filter */
export function parseFilter(text: string): Filter {
  const tokens = tokensOf(text);
  const attributes = new Set<string>();
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted)) throw new Error(`expected ${wanted ?? "more"} at ${at}`);
    return token;
  };
  const value = (): string => {
    const token = take();
    if (/^(AND|OR|NOT|IN|=|!=|[[\]()],?)$/.test(token)) throw new Error(`no value: ${token}`);
    return token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/g, "$1") : token;
  };
  type Test = Filter["holds"];
  const either = (): Test => {
    let left = both();
    while (peek() === "OR") {
      take();
      const [a, b] = [left, both()];
      left = (document) => a(document) || b(document);
    }
    return left;
  };
  const both = (): Test => {
    let left = one();
    while (peek() === "AND") {
      take();
      const [a, b] = [left, one()];
      left = (document) => a(document) && b(document);
    }
    return left;
  };
  const one = (): Test => {
    if (peek() === "NOT") {
      take();
      const inner = one();
      return (document) => !inner(document);
    }
    if (peek() === "(") {
      take();
      const inner = either();
      take(")");
      return inner;
    }
    const attribute = value();
    attributes.add(attribute);
    const valuesOf = (document: Readonly<Record<string, unknown>>) =>
      [document[attribute]].flat().map((each) => String(each).toLowerCase());
    const operator = take();
    if (operator === "IN") {
      take("[");
      const wanted = new Set<string>();
      while (peek() !== "]") {
        wanted.add(value().toLowerCase());
        if (peek() === ",") take();
      }
      take("]");
      return (document) => valuesOf(document).some((each) => wanted.has(each));
    }
    const wanted = value().toLowerCase();
    if (operator === "=") return (document) => valuesOf(document).includes(wanted);
    if (operator === "!=") return (document) => !valuesOf(document).includes(wanted);
    throw new Error(`no operator: ${operator}`);
  };
  const holds = either();
  if (at < tokens.length) throw new Error(`too much: ${tokens.slice(at).join(" ")}`);
  return { attributes, holds };
}

function tokensOf(text: string): string[] {
  const pattern = /\s*("(?:[^"\\]|\\.)*"|!=|=|[[\](),]|[\w.-]+)/y;
  const tokens: string[] = [];
  while (pattern.lastIndex < text.trimEnd().length) {
    const found = pattern.exec(text);
    if (!found?.[1]) throw new Error("not a filter");
    tokens.push(found[1]);
  }
  return tokens;
}
