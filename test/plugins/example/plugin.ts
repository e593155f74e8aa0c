import type { Plugin } from "../../../src/plugins/contract.ts";
import { tellTime } from "./tools/tell-time.ts";

/** What time it is elsewhere. */
export const worldClock: Plugin = { name: "world-clock", tools: [tellTime] };
