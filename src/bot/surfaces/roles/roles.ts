import type { ModalView } from "@slack/types";
import { z } from "zod";
import { channelId, type PersonId, personId } from "../../../core/ids.ts";
import { appRoles, countsInChannels, mayAudit } from "../../../permissions/app-roles.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { slackDate } from "../blocks.ts";
import { type Click, clickKey } from "../click.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { grantRole, type RoleOutcome, revokeRole } from "./grant-role.ts";
import type { RoleOf } from "./role-store.ts";
import { blockIdOf, mostPeople, placeOf, type RolesState, rolesModal, rolesPerPage } from "./roles-modal.ts";

const metadata = z.object({
  person: z.string().min(1).max(100),
  channel: z.string().min(1).max(100).optional(),
  page: z.int().min(0).max(1_000),
  sent: z.int().min(0).max(10_000),
  language: z.string().max(10),
});

/** Opens the roles: from a slash command with the channel where it was typed, from App Home without one. */
export async function openRoles(clicked: Clicked): Promise<ModalView> {
  const { click, person, words } = clicked;
  const at = click.at?.channel;
  const channel = at !== undefined && !at.startsWith("D") && (await readsPlace(at, clicked)) ? at : undefined;
  return render({ person: person.id, page: 0, sent: 0, language: words.language, ...(channel && { channel }) }, clicked);
}

/** Another page. */
export async function turnRoles(clicked: Clicked): Promise<Rendering> {
  const state = ownState(clicked);
  const { value } = clicked.click;
  return () => (state ? render({ ...state, page: /^\d{1,3}$/.test(value) ? Number(value) : 0 }, clicked) : nothingHere(clicked));
}

/** Takes one role back, if the person may. */
export async function takeRoleBack(clicked: Clicked): Promise<Rendering> {
  const { click, person, desk, parts, words } = clicked;
  const state = ownState(clicked);
  const [, role, holder, channel] = /^([a-z-]{1,30}) (\S{1,50})(?: (\S{1,50}))?$/.exec(click.value) ?? [];
  const known = appRoles.find((each) => each === role);
  if (!state || !known || !holder) return () => nothingHere(clicked);
  const which: RoleOf = { person: personId(holder), role: known, ...(channel && { channel: channelId(channel) }) };
  const outcome = await revokeRole({ person, desk, clock: parts.clock }, clickKey(click), which);
  return () => render(state, clicked, revokedSentence(outcome, which, words));
}

/** Of a form in which nobody was chosen: that somebody must be, by its block. */
export function mistakesInRole(click: Click, { roles: said }: Catalogue): Readonly<Record<string, string>> {
  return chosen(click).length > 0 ? {} : { [blockIdOf("people", readState(click)?.sent ?? 0)]: said.nobody };
}

/** Gives the role of a form to everybody who was chosen in it, and shows the list with what has become of it. */
export async function giveRole(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const state = ownState(clicked);
  const role = appRoles.find((each) => each === click.entered.get("role"));
  if (!state || !role) return nothingHere(clicked);
  const here = click.entered.get("where") === "channel" && state.channel !== undefined ? channelId(state.channel) : undefined;
  const days = Number(click.entered.get("days"));
  const notices: string[] = [];
  for (const holder of chosen(click)) {
    const which: RoleOf = { person: holder, role, ...(here && { channel: here }) };
    const key = clickKey(click, holder);
    const { outcome, until } = await grantRole({ person, desk, clock: parts.clock }, key, which, days);
    notices.push(grantedSentence(outcome, which, until, words));
  }
  return render({ ...state, sent: state.sent + 1, page: 0 }, clicked, notices.filter((notice) => notice !== "").join("\n"));
}

const chosen = ({ entered }: Pick<Click, "entered">): readonly PersonId[] =>
  (entered.get("people") ?? "")
    .split("\n")
    .filter((id) => /^[A-Z0-9_]{1,50}$/.test(id))
    .slice(0, mostPeople)
    .map(personId);

/** What became of giving a role, as a sentence; "" for a click that was seen before. */
export function grantedSentence(outcome: RoleOutcome, { person, role, channel }: RoleOf, until: Date, words: Catalogue): string {
  const said = words.roles;
  switch (outcome) {
    case "changed":
    case "unchanged":
      return said.granted(`<@${person}>`, said.names[role], placeOf(channel, words), slackDate(until));
    case "not-member":
      return said.notMember(`<@${person}>`);
    case "not-yours":
      return channel === undefined || countsInChannels(role) ? said.notYours : said.notForChannel(said.names[role]);
    case "seen":
      return "";
    default:
      return outcome satisfies never;
  }
}

/** What became of taking a role back. */
export function revokedSentence(outcome: RoleOutcome, { person, role, channel }: RoleOf, words: Catalogue): string {
  const said = words.roles;
  if (outcome === "seen") return "";
  if (outcome === "not-yours" || outcome === "not-member") return said.notYours;
  return said[outcome === "changed" ? "revoked" : "wasNot"](`<@${person}>`, said.names[role], placeOf(channel, words));
}

function readState({ view }: Pick<Click, "view">): RolesState | undefined {
  try {
    return metadata.safeParse(JSON.parse(view?.metadata ?? "")).data as RolesState | undefined;
  } catch {
    return undefined;
  }
}

/** The modal's state, if it is this person's own modal. */
function ownState({ click, person }: Clicked): RolesState | undefined {
  const state = readState(click);
  return state?.person === person.id ? state : undefined;
}

async function render(state: RolesState, clicked: Clicked, notice?: string): Promise<ModalView> {
  const { person, desk, parts, words } = clicked;
  // Whoever may not know who holds what sees their own.
  const whose = mayAudit(person) ? undefined : person.id;
  const slice = { limit: rolesPerPage, offset: state.page * rolesPerPage };
  return rolesModal(state, { person, ...(await desk.roles.list(parts.clock.now(), slice, whose)) }, words, notice);
}

const nothingHere = async ({ words }: Clicked): Promise<ModalView> => sayingModal(words.roles.title, words.surface.refused, words);
