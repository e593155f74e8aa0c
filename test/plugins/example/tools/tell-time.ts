import { defineTool, failure, text } from "../../../../src/plugins/define.ts";
import { timeIn } from "../client.ts";

/** The time in another part of the world. */
export const tellTime = defineTool<{ zone: string }>({
  name: "tell_time",
  description: "Tells what time it is now in a time zone.",
  parameters: {
    type: "object",
    properties: { zone: { type: "string", minLength: 1, description: "IANA name, such as Europe/Lisbon." } },
    required: ["zone"],
  },
  annotations: { title: "Tell the time", readOnly: true },
  describeCall: (params) => `Looking at the clock in ${params?.zone}`,

  async execute({ zone }, { clock, signal }) {
    signal.throwIfAborted();
    const time = timeIn(zone, clock.now());
    return time ? text(`It is ${time} in ${zone}.`) : failure("NOT_FOUND", `There is no time zone ${zone}.`);
  },
});
