import { obstacleTo } from "../../permissions/enabled-tools.ts";
import { namedTools } from "../../permissions/named-tools.ts";
import { mayNotChange, type SwitchPlace } from "../../permissions/toggles.ts";
import type { Tool } from "../../plugins/contract.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import { toolLines } from "../surfaces/tools/tool-list.ts";
import type { ToolsSwitch } from "./command.ts";
import type { Attempt, Once } from "./command-store.ts";
import { type Given, type Reply, toolsPrefix, type Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** Every tool with its state here and now. */
export async function listTools({ given, person, desk, parts, words: { commands: words, tools: said } }: Work): Promise<Reply> {
  if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
  const [choices, template] = await Promise.all([
    desk.choices.read(given.channel, person.id, given.thread),
    desk.templates.inChannel(given.channel),
  ]);
  const place = given.direct ? "direct" : given.thread ? "thread" : "channel";
  const lines = toolLines(parts.tools, choices, person, said.reason);
  return messagesOf(
    [
      `*${words.toolsHere(place)}*`,
      ...(template ? [words.assistant(plainMrkdwn(template.title))] : []),
      ...(lines.length > 0 ? lines : [words.noTools]),
    ],
    words.usage(toolsPrefix(given), given.thread !== undefined),
  );
}

/** Switches tools, if the person may: all that were named, or none when one of the names is unknown. */
export async function switchTools(work: Work, command: ToolsSwitch): Promise<Reply> {
  const { given, person, desk, parts, words } = work;
  const said = words.commands;
  const at = placeOf(given, command);
  const named = /^(?:all|everything)$/i.test(command.names) ? { tools: parts.tools, unknown: [] } : namedTools(command.names, parts.tools);
  const attempts = named.tools.map(({ name }) => attempt(given, command, at, name));
  const refuse = async (lines: readonly string[], noted: readonly Attempt[]): Promise<Reply> =>
    (await desk.commands.take({ key: given.key, attempts: noted })) ? messagesOf(lines) : undefined;

  if (!at) return refuse([said.noThread], []);
  if (named.unknown.length > 0) {
    const lines = named.unknown.map(({ words: typed, suggestion }) => said.unknownTool(plainMrkdwn(typed.slice(0, 80)), suggestion));
    return refuse([...lines, said.nothingChanged(toolsPrefix(given))], []);
  }
  const tools = named.tools.map(({ name }) => name);
  const applied = await applySwitch({ person, desk }, { key: given.key, attempts }, { verb: command.verb, tools, at });
  if (applied === "seen") return undefined;
  if ("refused" in applied) return messagesOf([said.refusal(at.scope, person)]);
  const { changed } = applied;
  return messagesOf(await outcome(work, command, at, { tools: named.tools, changed }));
}

/**
 * Switches tools for somebody, if they may: the one way there is, whether it was typed or clicked. A refusal is noted in the audit log.
 */
export async function applySwitch(
  { person, desk }: Pick<Work, "person" | "desk">,
  once: Once,
  { verb, tools, at }: { readonly verb: ToolsSwitch["verb"]; readonly tools: readonly string[]; readonly at: SwitchPlace },
): Promise<{ readonly changed: readonly string[] } | { readonly refused: string } | "seen"> {
  const refused = mayNotChange(at.scope, person, at.scope === "channel" ? at.channel : undefined);
  if (refused) return (await desk.commands.take(once)) ? { refused } : "seen";
  const state = verb === "on" || verb === "unlock" ? "on" : "off";
  const changed = await desk.commands.switchTools(once, { state, tools, at });
  return changed === "seen" ? "seen" : { changed };
}

async function outcome(
  { given, person, desk, words: { commands: words, tools: said } }: Work,
  command: ToolsSwitch,
  at: SwitchPlace,
  { tools, changed }: { readonly tools: readonly Tool[]; readonly changed: readonly string[] },
): Promise<readonly string[]> {
  const quoted = (list: readonly Tool[]) => list.map(({ name }) => `\`${name}\``);
  const [done, stood] = [tools.filter(({ name }) => changed.includes(name)), tools.filter(({ name }) => !changed.includes(name))];
  const choices = await desk.choices.read(given.channel, person.id, given.thread);
  // Switching on takes one "off" away; another may be left, and that is what the person wants to know.
  const left = isOff(command) ? [] : tools.flatMap((tool) => obstacleTo(tool, choices, person) ?? []);
  return [
    ...(done.length > 0 ? [words.switched(command.verb, quoted(done), at.scope)] : []),
    ...(stood.length > 0 ? [words.already(command.verb, quoted(stood), at.scope)] : []),
    ...left.slice(0, 5).map((obstacle) => words.stillOff(plainMrkdwn(said.reason(obstacle)))),
    ...(isOff(command) && done.length === 1 ? [words.undo(undo(given, command, done[0]?.name ?? ""))] : []),
  ];
}

const isOff = ({ verb }: ToolsSwitch): boolean => verb === "off" || verb === "lock";

/** The command that takes this one back, in the same place. */
function undo(given: Given, { verb, scope }: ToolsSwitch, tool: string): string {
  const tail = { person: " for me", channel: " in this channel", thread: "", here: " here" };
  return `${toolsPrefix(given)} ${verb === "lock" ? "unlock" : "on"} ${tool}${scope ? tail[scope] : ""}`;
}

/** Where the switch counts. Undefined for a thread's switch outside of a thread. */
function placeOf({ channel, thread, person }: Given, { verb, scope }: ToolsSwitch): SwitchPlace | undefined {
  if (verb === "lock" || verb === "unlock") return { scope: "admin" };
  const wanted = scope === "here" ? (thread ? "thread" : "channel") : (scope ?? (thread ? "thread" : "person"));
  if (wanted === "person") return { scope: "person", person };
  if (wanted === "channel") return { scope: "channel", channel };
  return thread && { scope: "thread", channel, thread };
}

function attempt({ person, channel, thread }: Given, { verb }: ToolsSwitch, at: SwitchPlace | undefined, tool: string): Attempt {
  return {
    actor: person,
    action: `tool-${verb}`,
    subject: tool,
    channel,
    ...(at && { scope: at.scope }),
    ...(thread && { thread }),
  };
}
