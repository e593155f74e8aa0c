import type { PersonId } from "../../core/ids.ts";
import { takesPart } from "../../permissions/roles.ts";
import { mayNotChange } from "../../permissions/toggles.ts";
import type { DocsCommand } from "../commands/command.ts";
import type { Attempt } from "../commands/command-store.ts";
import type { Reply, TenantDesk, Work } from "../commands/given.ts";
import { messagesOf } from "../commands/reply.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import { mayNotAdd, readersOf } from "./document-desk.ts";
import type { AddedFile } from "./file-store.ts";
import { placeOf, sourceLine } from "./following/source-blocks.ts";
import { withCounts } from "./following/source-facts.ts";

/** Channels whose files are read, of those that somebody reads. */
async function followedBy(person: PersonId, { sources, directory }: Pick<TenantDesk, "sources" | "directory">) {
  const channels: readonly string[] = await directory.channelsOf(person);
  return withCounts(
    sources,
    (await sources.list()).filter(({ kind, address }) => kind === "slack" && channels.includes(address)),
  );
}

/** Documents shown in one list. */
const mostListed = 50;

/**
 * `/footnote docs`: the documents that were added from Slack. Everybody sees and changes their own; admins and knowledge editors all. Another's behaves like one
 * that does not exist.
 */
export async function docs({ given, person, desk, parts, words }: Work, { verb, id }: DocsCommand): Promise<Reply> {
  const said = words.documents;
  const all = mayNotChange("knowledge", person) === undefined;
  const attempts: readonly Attempt[] =
    verb === "list" ? [] : [{ actor: person.id, action: verb === "remove" ? "document-remove" : "document-add", subject: id }];
  const once = { key: given.key, attempts };
  const refuse = async (line: string): Promise<Reply> => ((await desk.commands.take(once)) ? messagesOf([line]) : undefined);
  if (!takesPart(person)) return refuse(words.commands.outsider);

  if (verb === "list") {
    if (!(await desk.commands.take(once))) return undefined;
    const files = await desk.files.list(all ? undefined : person.id);
    const followed = await followedBy(person.id, desk);
    const channels = followed.map((source) => [placeOf(source, words), sourceLine(source, words)].join(" \u00B7 "));
    const following = channels.length === 0 ? [] : [`*${words.following.listed}*`, ...channels];
    if (files.length === 0) return messagesOf([said.noneYet, ...following]);
    const lines = files.slice(0, mostListed).map(({ id, name, person: by, grants, document, failure }) => {
      const state =
        failure !== undefined
          ? said.failed(plainMrkdwn(words.reasons.of(failure)))
          : document
            ? said.passages(document.passages)
            : parts.documents.isReading(given.tenant, id, by)
              ? said.beingRead
              : said.cutOff;
      const who = all ? [`<@${by}>`] : [];
      return [`\`${id}\` *${plainMrkdwn(name)}*`, state, ...who, readersOf(grants, said).join(", ")].join(" \u00B7 ");
    });
    return messagesOf([`*${all ? said.all : said.mine}*`, ...lines, ...following], said.usage);
  }

  // One's own first: who may change everything takes their own out by the same words.
  const own = await desk.files.find(id, person.id);
  const found = own ? [own] : all ? await desk.files.all(id) : [];
  const [file] = found;
  if (!file) return refuse(said.unknown);
  const name = plainMrkdwn(file.name);
  if (verb === "remove") {
    if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
    let left: "gone" | "held" | undefined;
    for (const each of found) left = await parts.documents.remove(given.tenant, id, each.person, person.id);
    // Whether others have added it, too, is told to those alone who may see all that was added.
    return messagesOf([!all ? said.takenOut(name) : left === "held" ? said.stillHeld(name) : said.removed(name)]);
  }
  const refusal = found.map(({ grants }) => mayNotAdd(person, grants, said)).find((why) => why !== undefined);
  if (refusal !== undefined) return refuse(refusal);
  const begun: AddedFile[] = [];
  for (const [index, each] of found.entries()) {
    if (await desk.files.begin(index === 0 ? once : { key: `${given.key} ${index}`, attempts: [] }, each)) begun.push(each);
  }
  if (begun.length === 0) return undefined;
  parts.documents.read(
    given.tenant,
    begun.map((each) => ({ ...each, by: person.id })),
  );
  return messagesOf([said.again(name)]);
}
