import type { ModalView } from "@slack/types";
import { z } from "zod";
import { channelId, messageTs, personId } from "../../../core/ids.ts";
import { type SwitchPlace, toggleScopes } from "../../../permissions/toggles.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { applySwitch } from "../../commands/tools-commands.ts";
import { clickKey } from "../click.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { offeredSwitch, type PanelState, scopesFor, toolsModal } from "./tools-modal.ts";

const metadata = z.object({
  person: z.string().min(1).max(100),
  channel: z.string().min(1).max(100),
  thread: z
    .string()
    .regex(/^\d+\.\d+$/)
    .max(50)
    .optional(),
  direct: z.boolean(),
  scope: z.enum(["admin", "channel", "thread", "person"]),
  page: z.int().min(0).max(1_000),
});

/**
 * Opens the panel for the place of the click: a thread's tools below an answer, a channel's from a slash command. From App Home, and where
 * the bot cannot look, it is about the direct message between the bot and the person.
 */
export async function openTools(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk } = clicked;
  const own = { person: person.id, scope: "person", page: 0 } as const;
  if (click.at) {
    const { channel, thread } = click.at;
    const state = { ...own, channel, ...(thread && { thread, scope: "thread" as const }), direct: channel.startsWith("D") };
    if (await readsPlace(state.channel, clicked)) return render(state, clicked);
  }
  return render({ ...own, channel: await desk.directory.directMessage(person.id), direct: true }, clicked);
}

/** Opens the panel with the scope of the whole workspace, for those who may change that. */
export async function openPolicy(clicked: Clicked): Promise<ModalView> {
  const { person, desk } = clicked;
  const channel = await desk.directory.directMessage(person.id);
  return render({ person: person.id, channel, direct: true, scope: "admin", page: 0 }, clicked);
}

/** Another scope, or another page. What is shown is worked out anew, for whoever clicks. */
export const turnTools =
  (change: "scope" | "page") =>
  async (clicked: Clicked): Promise<Rendering> => {
    const state = ownState(clicked);
    if (!state) return refused(clicked, "tool-off", []);
    const { value } = clicked.click;
    const scope = toggleScopes.find((each) => each === value) ?? state.scope;
    const page = /^\d{1,3}$/.test(value) ? Number(value) : state.page;
    return () => render(change === "scope" ? { ...state, scope } : { ...state, page }, clicked);
  };

/**
 * Switches one tool in the chosen scope, through the same door as typed commands. A click that the panel does not offer (a tool that
 * does not exist, one that something else keeps off, another person's panel, a place they do not read) changes nothing and is noted.
 */
export async function switchTool(clicked: Clicked): Promise<Rendering> {
  const { click, person, desk, parts, words } = clicked;
  const [, to, name] = /^(on|off) ([a-z0-9_]{1,64})$/.exec(click.value) ?? [];
  const tool = parts.tools.find((each) => each.name === name);
  const action = to === "on" ? "tool-on" : "tool-off";
  const state = ownState(clicked);
  if (!tool || !state || !(await readsPlace(state.channel, clicked))) return refused(clicked, action, tool ? [tool.name] : []);

  const choices = await desk.choices.read(...placeOf(state));
  const at = switchPlace(state);
  const offered = offeredSwitch(tool, state.scope, { choices, person });
  const allowed = scopesFor(state, person).includes(state.scope);
  if (!at || (allowed && offered !== to)) return refused(clicked, action, [tool.name], state);

  const verb = state.scope === "admin" ? (to === "on" ? "unlock" : "lock") : to === "on" ? "on" : "off";
  const once = { key: clickKey(click), attempts: [attempt(clicked, `tool-${verb}`, tool.name, state)] };
  const applied = await applySwitch({ person, desk }, once, { verb, tools: [tool.name], at });
  const refusal = applied !== "seen" && "refused" in applied ? words.surface.refused : undefined;
  return () => render(state, clicked, refusal);
}

/** Notes a click that was not offered, without what it carried, and shows how things stand. */
async function refused(clicked: Clicked, action: Attempt["action"], subjects: readonly string[], state?: PanelState): Promise<Rendering> {
  const { click, desk, words } = clicked;
  const attempts = (subjects.length > 0 ? subjects : ["unknown"]).map((subject) => attempt(clicked, action, subject, state));
  await desk.commands.take({ key: clickKey(click), attempts });
  return state ? () => render(state, clicked, words.surface.refused) : async () => nothingHere(clicked);
}

function attempt({ person }: Clicked, action: Attempt["action"], subject: string, state: PanelState | undefined): Attempt {
  return {
    actor: person.id,
    action,
    subject,
    ...(state && { scope: state.scope, channel: channelId(state.channel) }),
    ...(state?.thread && { thread: messageTs(state.thread) }),
  };
}

/** The panel's state, if it is this person's own panel. */
function ownState({ click, person }: Clicked): PanelState | undefined {
  const { data } = metadata.safeParse(fromJson(click.view?.metadata ?? ""));
  return data && data.person === person.id ? (data as PanelState) : undefined;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function render(state: PanelState, clicked: Clicked, refusal?: string): Promise<ModalView> {
  const { person, desk, parts, words } = clicked;
  if (!(await readsPlace(state.channel, clicked))) return nothingHere(clicked);
  const [choices, template] = await Promise.all([desk.choices.read(...placeOf(state)), desk.templates.inChannel(state.channel)]);
  // Somebody may have lost a right since the panel was opened.
  const scope = scopesFor(state, person).includes(state.scope) ? state.scope : "person";
  return toolsModal({ ...state, scope }, { tools: parts.tools, choices, template, person }, words, refusal);
}

const placeOf = ({ channel, person, thread }: PanelState) =>
  [channelId(channel), personId(person), ...(thread ? [messageTs(thread)] : [])] as const;

function switchPlace({ scope, channel, thread, person }: PanelState): SwitchPlace | undefined {
  switch (scope) {
    case "admin":
      return { scope };
    case "channel":
      return { scope, channel: channelId(channel) };
    case "thread":
      return thread ? { scope, channel: channelId(channel), thread: messageTs(thread) } : undefined;
    case "person":
      return { scope, person: personId(person) };
    default:
      return scope satisfies never;
  }
}

const nothingHere = ({ words }: Clicked): ModalView => sayingModal(words.tools.title, words.tools.nothing, words);
