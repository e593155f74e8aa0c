import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from "@slack/types";
import { longest } from "../../../plugins/check-server.ts";
import type { ServerAccess, ServerDesk } from "../../../plugins/workspace-servers.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context, section } from "../blocks.ts";
import { actions, button, modal, plain } from "../parts.ts";

type Listed = Awaited<ReturnType<ServerDesk["list"]>>[number];

/** What the modal carries. It says whose it is and what is looked at; nobody's rights follow from it. */
export interface ServersState {
  readonly person: string;
  /** In which it is written, so that its mistakes are told in the same. */
  readonly language: string;
  /** The server that is changed; absent for a new one. */
  readonly name?: string;
  /** Which fields the form has. */
  readonly access?: ServerAccess["kind"];
}

/** What stands in the form: everything but secrets, which are never shown. */
export type ShownFields = Readonly<Partial<Record<"name" | "title" | "url" | "header" | "issuer" | "scopes" | "client_id", string>>>;

/** A workspace's own servers, with a way to add, change and remove them. @param notice what has just happened */
export function serversModal(state: ServersState, servers: readonly Listed[], words: Catalogue, notice?: string): ModalView {
  const said = words.servers;
  const blocks: KnownBlock[] = [
    ...(notice ? [section(notice), { type: "divider" } as const] : []),
    section(said.intro),
    ...(servers.length === 0 ? [context(said.none)] : servers.flatMap((server) => serverBlocks(server, words))),
    ...(servers.length === 0 ? [] : [context(said.approve)]),
    actions("servers_add", [button("server_new", said.add, "new", "primary")]),
  ];
  return modal({ title: said.title, blocks, metadata: JSON.stringify({ person: state.person, language: state.language }) }, words);
}

function serverBlocks({ name, title, url, access, revision, shadowed }: Listed, { servers: said }: Catalogue): KnownBlock[] {
  const lines = [
    `*${plainMrkdwn(title)}* (\`${name}\`)`,
    `${plainMrkdwn(new URL(url).host)}, ${said.access[access.kind]}`,
    ...(access.kind === "header" && !access.secret ? [`:warning: ${said.noSecret}`] : []),
    ...(shadowed ? [`:warning: ${said.shadowed}`] : []),
  ];
  const confirm = {
    ...{ title: plain(said.confirm.title), confirm: plain(said.confirm.yes, 30), deny: plain(said.confirm.no, 30) },
    ...{ text: plain(said.confirm.text(title), 300), style: "danger" as const },
  };
  return [
    { type: "divider" },
    section(lines.join("\n")),
    actions(`server ${name} ${revision}`, [
      button("server_edit", said.change, name),
      { ...button("server_remove", said.remove, name, "danger"), confirm },
    ]),
  ];
}

const kinds = ["open", "header", "login"] as const satisfies readonly ServerAccess["kind"][];

/** The form for one server. @param notice why what was sent was not stored */
export function serverForm(state: ServersState, shown: ShownFields, words: Catalogue, notice?: string): ModalView {
  const said = words.servers.form;
  const { access = "open", name } = state;
  const text = (field: FormField, label: string, hint?: string, more: { readonly optional?: boolean } = {}): InputBlock => ({
    ...{ type: "input", block_id: blockIdOf(field, state), label: plain(label), ...more },
    ...(hint !== undefined && { hint: plain(hint, 2_000) }),
    element: {
      ...{ type: "plain_text_input", action_id: field, max_length: longestIn(field) },
      ...(field !== "secret" && shown[field] && { initial_value: shown[field] }),
    },
  });
  const options = kinds.map((kind): PlainTextOption => ({ text: plain(said.accesses[kind]), value: kind }));
  const chosen = options[kinds.indexOf(access)];
  const secretHint = name === undefined ? said.secretHint : `${said.secretKept} ${said.secretHint}`;
  const blocks: KnownBlock[] = [
    ...(notice ? [section(`:no_entry: ${notice}`)] : []),
    ...(name === undefined ? [text("name", said.name, said.nameHint)] : [section(`\`${name}\``)]),
    text("title", said.title),
    text("url", said.url, said.urlHint),
    section(`*${said.access}*`),
    actions(`server_access ${name ?? ""} ${access}`, [
      { type: "static_select", action_id: "server_access", options, ...(chosen && { initial_option: chosen }) },
    ]),
    ...(access === "header"
      ? [text("header", said.header, said.headerHint), text("secret", said.secret, secretHint, { optional: name !== undefined })]
      : []),
    ...(access === "login"
      ? [
          text("issuer", said.issuer, said.issuerHint),
          text("scopes", said.scopes, said.scopesHint, { optional: true }),
          text("client_id", said.clientId, said.clientIdHint, { optional: true }),
        ]
      : []),
  ];
  const title = name === undefined ? said.titleNew : said.titleChange;
  const form = { action: "server_save", submit: said.save, cancel: said.cancel };
  return modal({ title, blocks, metadata: JSON.stringify({ ...state, access }), form }, words);
}

export type FormField = keyof ShownFields | "secret";

const longestIn = (field: FormField): number => longest[field === "client_id" ? "clientId" : field];

/** A block of its own for every server: otherwise Slack keeps what was typed for another one. */
export const blockIdOf = (field: FormField, { name }: Pick<ServersState, "name">): string => `server ${field} ${name ?? ""}`;
