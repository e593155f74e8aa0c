import { whyNotModel } from "../../agent/templates/check-template.ts";
import { closest } from "../../permissions/named-tools.ts";
import { mayNotChange } from "../../permissions/toggles.ts";
import { canonicalName } from "../../permissions/tool-name.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { Attempt, Once, StoredTemplate } from "./command-store.ts";
import type { CommandParts, Given, Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** The workspace's templates, for those who may choose one. */
export async function listTemplates({ given, person, desk, words: { commands: words } }: Work): Promise<Reply> {
  if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
  const refusal = mayNotChange("template", person, given.channel);
  if (refusal) return messagesOf([words.refusal("template", person)]);
  const [all, here] = await Promise.all([desk.templates.list(), desk.templates.inChannel(given.channel)]);
  const lines = all.map(({ name, title, version }) => {
    const facts = [version === 0 ? words.builtIn : words.version(version), ...(name === here?.name ? [words.templateIsHere] : [])];
    return `\`${name}\` ${plainMrkdwn(title)} (${facts.join(", ")})`;
  });
  return messagesOf([`*${words.templates}*`, ...lines], words.templateUsage);
}

/** Makes a template this channel's assistant, by the channel's id: its name may change. */
export async function useTemplate({ given, person, desk, parts, words: { commands: words } }: Work, typed: string): Promise<Reply> {
  const all = await desk.templates.list();
  const template = named(typed, all);
  const attempts: readonly Attempt[] = template
    ? [{ actor: given.person, action: "template-use", subject: template.name, channel: given.channel }]
    : [];
  const refuse = async (line: string): Promise<Reply> =>
    (await desk.commands.take({ key: given.key, attempts })) ? messagesOf([line]) : undefined;

  if (!template) {
    const refusal = mayNotChange("template", person, given.channel);
    if (refusal) return refuse(words.refusal("template", person));
    const meant = closest(
      canonicalName(typed).replaceAll("_", "-"),
      all.map(({ name }) => name),
    );
    return refuse(words.templateUnknown(plainMrkdwn(typed.slice(0, 80)), meant));
  }
  const used = await chooseTemplate({ person, desk, parts }, { key: given.key, attempts }, given, template);
  if (used === "seen") return undefined;
  if (typeof used === "object") return messagesOf([words.refusal("template", person) || plainMrkdwn(used.refused)]);
  const title = plainMrkdwn(template.title);
  if (used === "unchanged") return messagesOf([words.templateAlready(title)]);
  const prompts = template.suggestedPrompts.map((prompt) => `• ${plainMrkdwn(prompt)}`);
  return messagesOf([
    words.templateUsed(title),
    ...(given.direct ? [] : [words.replies[template.reply]]),
    ...(prompts.length > 0 ? [words.tryAsking, ...prompts] : []),
  ]);
}

/**
 * Makes a template a channel's assistant, if the person may: the one way there is, whether it was typed or clicked. A refusal is noted in
 * the audit log.
 */
export async function chooseTemplate(
  { person, desk, parts }: Pick<Work, "person" | "desk"> & { readonly parts: Pick<CommandParts, "models" | "templateChanged"> },
  once: Once,
  { tenant, channel }: Pick<Given, "tenant" | "channel">,
  template: StoredTemplate,
): Promise<"changed" | "unchanged" | "unknown" | "seen" | { readonly refused: string }> {
  // The operator may have taken a model away since the template was written.
  const noModel = template.model === undefined ? undefined : whyNotModel(template.model, parts.models);
  const refused = mayNotChange("template", person, channel) ?? noModel;
  if (refused) return (await desk.commands.take(once)) ? { refused } : "seen";
  const used = await desk.commands.useTemplate(once, channel, template.name);
  if (used !== "seen") parts.templateChanged(tenant, channel);
  return used;
}

/** By name, else by title, in any spelling. */
function named(typed: string, all: readonly StoredTemplate[]): StoredTemplate | undefined {
  const wanted = canonicalName(typed);
  return all.find(({ name }) => canonicalName(name) === wanted) ?? all.find(({ title }) => canonicalName(title) === wanted);
}
