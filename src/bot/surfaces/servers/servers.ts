import type { ModalView } from "@slack/types";
import { z } from "zod";
import { mayNotChange } from "../../../permissions/toggles.ts";
import { checkServer, type ServerField } from "../../../plugins/check-server.ts";
import type { ServerChange, ServerDesk, ServerEntry } from "../../../plugins/workspace-servers.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { type Click, clickKey } from "../click.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { sayingModal } from "../parts.ts";
import { blockIdOf, type FormField, type ServersState, type ShownFields, serverForm, serversModal } from "./servers-view.ts";

const metadata = z.object({
  person: z.string().min(1).max(100),
  language: z.string().max(10),
  name: z.string().max(40).optional(),
  access: z.enum(["open", "header", "login"]).optional(),
});

/** The workspace's own servers, for its admins. */
export async function openServers(clicked: Clicked): Promise<ModalView> {
  const desk = await admitted(clicked);
  return "refused" in desk ? desk.refused : list(clicked, desk);
}

/** The form for another one, as a modal of its own. */
export async function openNewServer(clicked: Clicked): Promise<ModalView> {
  const desk = await admitted(clicked);
  return "refused" in desk ? desk.refused : serverForm(stateOf(clicked), {}, clicked.words);
}

/** The same in the list's place. */
export async function newServer(clicked: Clicked): Promise<Rendering> {
  const view = await openNewServer(clicked);
  return async () => view;
}

/** The form for a server that there is. */
export async function editServer(clicked: Clicked): Promise<Rendering> {
  const desk = await admitted(clicked);
  if ("refused" in desk) return async () => desk.refused;
  const server = (await desk.list()).find(({ name }) => name === clicked.click.value);
  if (!server) return () => list(clicked, desk, clicked.words.servers.unknown(plainMrkdwn(clicked.click.value.slice(0, 40))));
  const state = { ...stateOf(clicked), name: server.name, access: server.access.kind };
  return async () => serverForm(state, fieldsOf(server), clicked.words);
}

/** The same form with the fields for another way to log in. What was typed stays: Slack keeps it by the fields' names. */
export async function chooseAccess(clicked: Clicked): Promise<Rendering> {
  const desk = await admitted(clicked);
  if ("refused" in desk) return async () => desk.refused;
  const state = readState(clicked.click) ?? stateOf(clicked);
  const access = metadata.shape.access.catch(undefined).parse(clicked.click.value) ?? "open";
  const known = state.name === undefined ? undefined : (await desk.list()).find(({ name }) => name === state.name);
  return async () => serverForm({ ...state, access }, { ...(known && fieldsOf(known)), ...typedIn(clicked.click) }, clicked.words);
}

/** Removes one, and shows what is left. */
export async function removeServer(clicked: Clicked): Promise<Rendering> {
  const { click, words } = clicked;
  const desk = await admitted(clicked, "server-remove", click.value.slice(0, 40));
  if ("refused" in desk) return async () => desk.refused;
  const outcome = await desk.remove(click.value, changeBy(clicked));
  const shown = plainMrkdwn(click.value.slice(0, 40));
  return () => list(clicked, desk, outcome === "unknown" ? words.servers.unknown(shown) : words.servers.removed(shown));
}

/** The fields of a form that cannot be taken, as sentences by block, as Slack marks them. */
export function mistakesInServer(
  click: Click,
  { servers: said }: Catalogue,
  { serverOrigins = [] }: { readonly serverOrigins?: readonly string[] },
): Readonly<Record<string, string>> {
  const state = readState(click);
  if (!state) return {};
  const checked = checkServer(settingsOf(click, state), serverOrigins);
  if ("entry" in checked) return {};
  return Object.fromEntries(checked.mistakes.map(({ field }) => [blockIdOf(blockFor(field), state), said.mistakes[field]]));
}

/** Stores what stands in the form, and shows the list; or the form again, with what is against it. */
export async function saveServer(clicked: Clicked): Promise<ModalView> {
  const { click, person, words } = clicked;
  const said = words.servers;
  const state = readState(click);
  const desk = await admitted(clicked, state?.name === undefined ? "server-add" : "server-change", nameIn(click, state));
  if ("refused" in desk) return desk.refused;
  if (state?.person !== person.id) return sayingModal(said.title, words.surface.refused, words);
  const checked = checkServer(settingsOf(click, state), desk.origins);
  const again = (notice: string) => serverForm(state, typedIn(click), words, notice);
  if ("mistakes" in checked) return again(said.mistakes[checked.mistakes[0]?.field ?? "program"]);
  const title = plainMrkdwn(checked.entry.title);
  switch (await desk.save(checked.entry, changeBy(clicked))) {
    case "name-taken":
      return again(said.nameTaken);
    case "too-many":
      return again(said.tooMany);
    case "no-secret":
      return again(said.needsSecret);
    case "unchanged":
      return list(clicked, desk, said.unchanged(title));
    default:
      return list(clicked, desk, said.saved(title));
  }
}

/** The door for whoever may decide. Everybody else is told so, and of an attempted change a line is noted. */
async function admitted(
  { click, person, desk, words }: Clicked,
  action?: Attempt["action"],
  subject = "",
): Promise<ServerDesk | { readonly refused: ModalView }> {
  const title = words.servers.title;
  if (mayNotChange("servers", person)) {
    if (action) await desk.commands.take({ key: clickKey(click), attempts: [{ actor: person.id, action, subject }] });
    return { refused: sayingModal(title, words.commands.refusal("servers", person), words) };
  }
  return desk.servers ?? { refused: sayingModal(title, words.servers.off, words) };
}

const list = async (clicked: Clicked, desk: ServerDesk, notice?: string): Promise<ModalView> =>
  serversModal(stateOf(clicked), await desk.list(), clicked.words, notice);

const stateOf = ({ person, words }: Clicked): ServersState => ({ person: person.id, language: words.language });

const changeBy = ({ click, person }: Clicked): ServerChange => ({ key: clickKey(click), actor: person.id });

function readState({ view }: Pick<Click, "view">): ServersState | undefined {
  try {
    return metadata.safeParse(JSON.parse(view?.metadata ?? "")).data as ServersState | undefined;
  } catch {
    return undefined;
  }
}

const formFields: readonly FormField[] = ["name", "title", "url", "header", "secret", "issuer", "scopes", "client_id"];

/** What stands in a form, as settings that `checkServer` takes. What no field of ours holds goes along, and is refused there. */
function settingsOf({ entered }: Pick<Click, "entered">, { name, access = "open" }: ServersState): Readonly<Record<string, unknown>> {
  const typed = (field: FormField) => entered.get(field)?.trim() || undefined;
  const others = [...entered].filter(([field]) => !formFields.some((known) => known === field) && field !== "server_access");
  const [header, secret, clientId] = [typed("header"), typed("secret"), typed("client_id")];
  return {
    ...Object.fromEntries(others),
    ...{ name: name ?? typed("name") ?? "", title: typed("title"), url: typed("url") ?? "" },
    ...(access === "header" && { header: { name: header ?? "", ...(secret !== undefined && { value: secret }) } }),
    ...(access === "login" && {
      login: {
        issuer: typed("issuer") ?? "",
        scopes: typed("scopes")?.split(/\s+/) ?? [],
        ...(clientId !== undefined && { client_id: clientId }),
      },
    }),
  };
}

/** What can be shown again of what was typed: no secret. */
const typedIn = ({ entered }: Pick<Click, "entered">): ShownFields =>
  Object.fromEntries(formFields.flatMap((field) => (field !== "secret" && entered.get(field) ? [[field, entered.get(field)]] : [])));

const fieldsOf = ({ title, url, access }: ServerEntry): ShownFields => ({
  ...{ title, url },
  ...(access.kind === "header" && { header: access.header }),
  ...(access.kind === "login" && {
    issuer: access.issuer,
    scopes: access.scopes.join(" "),
    ...(access.clientId !== undefined && { client_id: access.clientId }),
  }),
});

const nameIn = ({ entered }: Pick<Click, "entered">, state: ServersState | undefined): string =>
  (state?.name ?? entered.get("name") ?? "").slice(0, 40);

/** The block in which a mistake is told: those that no field holds stand by the address. */
const blockFor = (field: ServerField): FormField => (field === "clientId" ? "client_id" : field === "program" ? "url" : field);
