import type { TraceRecord } from "../../../agent/trace.ts";
import { isUuid, traceId } from "../../../core/ids.ts";
import type { Clicked } from "../desk.ts";
import { readsPlace } from "../place-access.ts";

/**
 * The answer that a button names, for somebody who reads the place where it stands. The id proves nothing: an answer elsewhere and one
 * that does not exist look the same.
 */
export async function answerFor(
  { click, person, desk }: Pick<Clicked, "click" | "person" | "desk">,
  id: string,
): Promise<TraceRecord | undefined> {
  const trace = isUuid(id) ? await desk.traces.find(traceId(id)) : undefined;
  if (!trace || (click.at && click.at.channel !== trace.channel)) return undefined;
  return (await readsPlace(trace.channel, { person, desk })) ? trace : undefined;
}
