import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from "@slack/types";
import { type ChannelId, channelId } from "../../../core/ids.ts";
import { appRoles, mayGrant } from "../../../permissions/app-roles.ts";
import type { AppRole, Person } from "../../../permissions/directory.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context, section, slackDate } from "../blocks.ts";
import { button, modal, pageBlocks, plain } from "../parts.ts";
import { usualDays } from "./grant-role.ts";
import type { RoleGrant, RoleOf } from "./role-store.ts";

/** What the modal carries. It says whose it is and what is looked at; nobody's rights follow from it. */
export interface RolesState {
  readonly person: string;
  /** Where it was opened; absent in App Home and in direct messages. */
  readonly channel?: string;
  /** 0-based. */
  readonly page: number;
  /** How many forms were sent: what was chosen in one must not be taken for what is chosen in the next. */
  readonly sent: number;
  /** In which it is written, so that its mistakes are told in the same. */
  readonly language: string;
}

export interface RolesFacts {
  readonly person: Person;
  /** One page of those that the person may know of. */
  readonly grants: readonly RoleGrant[];
  readonly total: number;
}

/** Roles a page: with the form far below the 100 blocks that Slack takes. */
export const rolesPerPage = 15;
/** People who can be given a role at once. */
export const mostPeople = 10;
const offeredDays: readonly number[] = [1, 7, usualDays, 90, 365];

/** A role's place in words. */
export const placeOf = (channel: ChannelId | undefined, { roles: said }: Catalogue): string =>
  channel === undefined ? said.everywhere : said.inChannel(`<#${channel}>`);

/** Everybody's roles, as far as the person may know of them, and for who may give them a form. @param notice what has just happened */
export function rolesModal(state: RolesState, { person, grants, total }: RolesFacts, words: Catalogue, notice?: string): ModalView {
  const said = words.roles;
  const pages = Math.max(1, Math.ceil(total / rolesPerPage));
  const page = Math.min(state.page, pages - 1);
  const [everywhere, here] = rolesToGive(person, state);
  const gives = everywhere.length + here.length > 0;
  const blocks: KnownBlock[] = [
    ...(notice ? [section(notice), { type: "divider" } as const] : []),
    section(gives ? said.intro : said.introMember),
    ...(total === 0 ? [context(gives ? said.noneGiven : said.noneYours)] : grants.map((grant) => grantBlock(grant, person, words))),
    ...pageBlocks({ page, pages, previous: "roles_previous", next: "roles_next" }, words),
    ...(gives ? formBlocks(state, everywhere.length > 0 ? everywhere : here, [everywhere.length > 0, here.length > 0], words) : []),
  ];
  const form = { action: "role_grant", submit: said.send, cancel: words.surface.close };
  return modal({ title: said.title, blocks, metadata: JSON.stringify({ ...state, page }), ...(gives && { form }) }, words);
}

/** The roles that somebody may give: in the whole workspace, and in the channel where the modal was opened. */
function rolesToGive(person: Person, { channel }: Pick<RolesState, "channel">): readonly [readonly AppRole[], readonly AppRole[]] {
  const here = channel === undefined ? [] : appRoles.filter((role) => mayGrant(person, role, channelId(channel)));
  return [appRoles.filter((role) => mayGrant(person, role)), here];
}

function grantBlock({ person: holder, role, channel, until, grantedBy }: RoleGrant, person: Person, words: Catalogue): KnownBlock {
  const said = words.roles;
  const line = said.line(`<@${holder}>`, said.names[role], placeOf(channel, words), slackDate(until));
  const block = section(`${line}\n${said.givenBy(`<@${grantedBy}>`)}`);
  const takesBack = holder === person.id || mayGrant(person, role, channel);
  return takesBack
    ? { ...block, accessory: button("role_revoke", said.revoke, roleValue({ person: holder, role, ...(channel && { channel }) })) }
    : block;
}

/** What a button for taking a role back carries: "<role> <person> [<channel>]". */
const roleValue = ({ person, role, channel }: RoleOf): string => [role, person, ...(channel ? [channel] : [])].join(" ");

function formBlocks(
  { sent, channel }: RolesState,
  roles: readonly AppRole[],
  [everywhere, here]: readonly [boolean, boolean],
  words: Catalogue,
): KnownBlock[] {
  const said = words.roles;
  const option = (value: string, label: string): PlainTextOption => ({ text: plain(label), value });
  const input = (field: string, label: string, element: InputBlock["element"]): InputBlock => ({
    ...{ type: "input", block_id: blockIdOf(field, sent), label: plain(label), element },
  });
  const select = (field: string, options: PlainTextOption[], chosen?: string): InputBlock["element"] => {
    const initial = options.find(({ value }) => value === chosen) ?? options[0];
    return { type: "static_select", action_id: field, options, ...(initial && { initial_option: initial }) };
  };
  const places = [
    ...(everywhere ? [option("workspace", said.whereWorkspace)] : []),
    ...(here && channel !== undefined ? [option("channel", said.whereChannel)] : []),
  ];
  return [
    { type: "divider" },
    section(`*${said.give}*`),
    input("people", said.people, {
      ...({ type: "multi_users_select", action_id: "people" } as const),
      ...{ max_selected_items: mostPeople, placeholder: plain(said.choosePeople) },
    }),
    input(
      "role",
      said.role,
      select(
        "role",
        roles.map((role) => option(role, said.names[role])),
      ),
    ),
    context(roles.map((role) => said.whatFor(said.names[role], said.may[role])).join("\n")),
    input("where", said.where, select("where", places)),
    input(
      "days",
      said.days,
      select(
        "days",
        offeredDays.map((days) => option(String(days), said.forDays(days))),
        String(usualDays),
      ),
    ),
  ];
}

export const blockIdOf = (field: string, sent: number): string => `role ${field} ${sent}`;
