/** Longest event we keep, in characters: a server that never ends a line must not fill the memory. */
const LONGEST_EVENT = 8 * 1024 * 1024;

/**
 * The data of each server-sent event in a body. Bytes are decoded over the whole stream, so that a character cut between two
 * pieces stays whole; LF, CRLF and CR end a line; comments and other fields are skipped; the space after "data:" may be missing.
 * A last event without its blank line is given too. @throws RangeError for an event without end
 */
export async function* sseData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = "";
  let data: string[] = [];
  const linesOf = function* (text: string, last: boolean): Generator<string> {
    open += text;
    if (open.length > LONGEST_EVENT) throw new RangeError("The server sent an event without end.");
    // A CR at the very end may be the first half of CRLF.
    const lines = open.split(last ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
    open = last ? "" : (lines.pop() ?? "");
    yield* lines;
  };
  const pieces = async function* (): AsyncGenerator<readonly [string, boolean]> {
    for await (const bytes of body) yield [decoder.decode(bytes, { stream: true }), false];
    yield [decoder.decode(), true];
  };
  for await (const [text, last] of pieces()) {
    for (const line of linesOf(text, last)) {
      if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      }
      const field = /^data: ?(.*)$/s.exec(line);
      if (field) data.push(field[1] ?? "");
    }
  }
  if (data.length > 0) yield data.join("\n");
}
