import type { KnownBlock, ModalView } from "@slack/types";
import { z } from "zod";
import { channelId, isUuid, personId, turnId } from "../../core/ids.ts";
import { channelPrincipal, everyone, groupPrincipal, type Principal, personPrincipal } from "../../core/principal.ts";
import { atLeast } from "../../permissions/roles.ts";
import { mayNotChange } from "../../permissions/toggles.ts";
import type { Attempt } from "../commands/command-store.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import { section } from "../surfaces/blocks.ts";
import { clickKey } from "../surfaces/click.ts";
import type { Clicked } from "../surfaces/desk.ts";
import { modal, plain, sayingModal } from "../surfaces/parts.ts";
import { readsPlace } from "../surfaces/place-access.ts";
import type { FileToAdd } from "./document-desk.ts";
import { readNamedFile } from "./named-file.ts";

/** Files of one message that are added at once, and people and user groups that are chosen. */
const mostFiles = 10;
const mostChosen = 50;
/** Slack takes this many options. */
const mostOptions = 100;

const carried = z.object({ channel: z.string().min(1).max(100), files: z.array(z.string().max(150)).min(1).max(mostFiles) });

/** Asks who may see the files of the message on which the shortcut was used. */
export const addFilesForm = (clicked: Clicked): Promise<ModalView> => form(clicked, clicked.click.message?.files ?? []);

/** The same for the files of a question, for whoever asked it. */
export async function keepFilesForm(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk } = clicked;
  const asked = isUuid(click.value) ? await desk.searches.question(turnId(click.value)) : undefined;
  const own = asked?.person === person.id && asked.channel === click.at?.channel;
  return form(clicked, own ? asked.files : []);
}

async function form(clicked: Clicked, kept: readonly string[]): Promise<ModalView> {
  const { click, person, desk, words } = clicked;
  const said = words.documents;
  if (!atLeast(person.role, "member")) return sayingModal(said.title, said.membersOnly, words);
  const files = kept.filter((file) => readNamedFile(file).id !== undefined).slice(0, mostFiles);
  if (files.length === 0 || !click.at) return sayingModal(said.title, said.noFiles, words);
  const option = (value: string, label: string) => ({ text: plain(label), value });
  const direct = click.at.channel.startsWith("D");
  const options = [
    option("me", said.onlyMe),
    ...(direct ? [] : [option("channel", said.channel)]),
    option("chosen", said.chosen),
    ...(mayNotChange("knowledge", person) ? [] : [option("workspace", said.workspace)]),
  ];
  const groups = (await desk.directory.userGroups()).slice(0, mostOptions).map(({ id, name }) => option(id, name));
  const blocks: KnownBlock[] = [
    section(said.intro(files.map((file) => plainMrkdwn(readNamedFile(file).name)).join(", "))),
    {
      ...{ type: "input", block_id: "who", label: plain(said.who) },
      element: { type: "radio_buttons", action_id: "who", options, ...(options[0] && { initial_option: options[0] }) },
    },
    {
      ...{ type: "input", block_id: "people", optional: true, label: plain(said.people) },
      element: { type: "multi_users_select", action_id: "people", max_selected_items: mostChosen },
    },
    ...(groups.length === 0
      ? []
      : [
          {
            ...({ type: "input", block_id: "groups", optional: true, label: plain(said.groups) } as const),
            element: { type: "multi_static_select", action_id: "groups", options: groups, max_selected_items: mostChosen } as const,
          },
        ]),
  ];
  const metadata = JSON.stringify({ channel: click.at.channel, files });
  return modal({ title: said.title, blocks, metadata, form: { action: "add_documents", submit: said.add, cancel: said.cancel } }, words);
}

/**
 * Takes the files in, for those that were chosen. Who may see a document is judged here, whatever the form offered; whether the file is the
 * person's to give away, when it is fetched.
 */
export async function addFiles(clicked: Clicked): Promise<undefined> {
  const { click, person, desk, words, parts } = clicked;
  const said = words.documents;
  const { data } = carried.safeParse(fromJson(click.view?.metadata ?? ""));
  const tell = async (sentence: string): Promise<undefined> => {
    await desk.writer.post(await desk.directory.directMessage(person.id), undefined, () => ({
      text: sentence,
      blocks: [section(sentence)],
    }));
  };
  if (!data) return;
  const attempt = (id: string): Attempt => ({ actor: person.id, action: "document-add", subject: id, channel: channelId(data.channel) });
  const grants = atLeast(person.role, "member") ? await chosenGrants(clicked, data.channel) : said.membersOnly;
  if (typeof grants === "string") {
    const attempts = data.files.map((file) => attempt(readNamedFile(file).id ?? "unknown"));
    if (await desk.commands.take({ key: clickKey(click), attempts })) await tell(grants);
    return;
  }
  const files: FileToAdd[] = [];
  for (const { id, name } of data.files.map(readNamedFile)) {
    if (id === undefined) continue;
    const file = { id, name, person: person.id, channel: channelId(data.channel), grants };
    if (await desk.files.begin({ key: clickKey(click, id), attempts: [attempt(id)] }, file)) files.push(file);
  }
  parts.documents.read(click.tenant, files);
}

/** Who may see the documents; a sentence when that is not the person's to choose. */
async function chosenGrants({ click, person, desk, words }: Clicked, channel: string): Promise<readonly Principal[] | string> {
  const said = words.documents;
  const own = personPrincipal(person.id);
  const several = (name: string) =>
    (click.entered.get(name) ?? "")
      .split("\n")
      .filter((id) => /^[A-Z0-9]+$/.test(id))
      .slice(0, mostChosen);
  switch (click.entered.get("who")) {
    case "me":
      return [own];
    case "workspace":
      return mayNotChange("knowledge", person) ? said.adminsOnly : [everyone];
    case "channel": {
      const place = await desk.directory.place(channelId(channel));
      const reads = place && place.kind !== "direct" && (await readsPlace(channel, { person, desk }));
      return reads ? [channelPrincipal(place.id), own] : said.noFiles;
    }
    case "chosen": {
      const known = new Set((await desk.directory.userGroups()).map(({ id }) => id));
      const people = several("people").map((id) => personPrincipal(personId(id)));
      const groups = several("groups")
        .filter((id) => known.has(id))
        .map(groupPrincipal);
      return people.length + groups.length > 0 ? [...new Set([...people, ...groups, own])] : said.nobody;
    }
    default:
      return said.noFiles;
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
