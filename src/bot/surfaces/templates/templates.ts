import type { ModalView } from "@slack/types";
import { whyNotModel } from "../../../agent/templates/check-template.ts";
import { channelId } from "../../../core/ids.ts";
import type { Attempt, StoredTemplate } from "../../commands/command-store.ts";
import { chooseTemplate } from "../../commands/template-commands.ts";
import { clickKey } from "../click.ts";
import type { Clicked, Rendering } from "../desk.ts";
import { sayingModal } from "../parts.ts";
import { readsPlace } from "../place-access.ts";
import { clickedName, editsTemplates } from "./template-access.ts";
import { emptyTemplate, templateForm, templateOf } from "./template-form.ts";
import { comparisonView, listView, perPage, templateView, versionsView } from "./template-views.ts";
import { ownTemplatesState, type TemplatesState } from "./templates-state.ts";

/** Channels that a menu of Slack takes. */
const mostChannels = 100;

/** Opens the list of templates: from a slash command in the channel where it was typed, from App Home without one. */
export const openTemplates = async (clicked: Clicked): Promise<ModalView> => list(clicked, await stateAt(clicked));

/** Opens the form for a new template. */
export async function openNewTemplate(clicked: Clicked): Promise<ModalView> {
  const state = await stateAt(clicked);
  return editsTemplates(clicked) ? form(clicked, state, emptyTemplate) : list(clicked, state, clicked.words.surface.refused);
}

async function stateAt(clicked: Clicked): Promise<TemplatesState> {
  const { click, person } = clicked;
  const channel = click.at && (await readsPlace(click.at.channel, clicked)) ? click.at.channel : undefined;
  return { person: person.id, page: 0, ...(channel && { channel }) };
}

/** One view of the modal after a click in it. Throws as its parts do. */
type Step = (clicked: Clicked, state: TemplatesState) => Promise<ModalView>;

/** A click that shows something else, and changes nothing. What is for admins is shown to admins alone. */
const step =
  (show: Step, who: "everybody" | "admins") =>
  async (clicked: Clicked): Promise<Rendering> => {
    const state = ownTemplatesState(clicked);
    if (!state) return async () => nothingHere(clicked);
    if (who === "admins" && !editsTemplates(clicked)) return () => list(clicked, state, clicked.words.surface.refused);
    return () => show(clicked, state);
  };

export const turnTemplates = step((clicked, state) => list(clicked, { ...state, page: pageOf(clicked.click.value) }), "everybody");
export const showTemplate = step((clicked, state) => one(clicked, { ...state, name: clickedName(clicked) }), "everybody");
export const newTemplate = step((clicked, { name: _name, ...state }) => form(clicked, state, emptyTemplate), "admins");
export const chooseChannel = step(async (clicked, state) => {
  const { value } = clicked.click;
  return one(clicked, (await readsPlace(value, clicked)) ? { ...state, channel: value } : state);
}, "admins");
export const editTemplate = step(async (clicked, state) => {
  const template = await clicked.desk.templates.find(clickedName(clicked));
  return template ? form(clicked, { ...state, name: template.name }, template) : list(clicked, state, clicked.words.templates.none);
}, "admins");
export const showVersions = step((clicked, state) => versions(clicked, state, pageOf(clicked.click.value)), "admins");
export const compareVersions = step(async (clicked, state) => {
  const { older, newest } = await versionAt(clicked, state);
  return older && newest ? comparisonView(state, older, newest, clicked.words) : versions(clicked, state, 0);
}, "admins");

/** Makes what an older version says the newest one, if the person may and its model is still allowed. */
export async function rollBack(clicked: Clicked): Promise<Rendering> {
  const { person, desk, parts, words } = clicked;
  const state = ownTemplatesState(clicked);
  const { older, newest } = state ? await versionAt(clicked, state) : {};
  if (!state || !older || !newest || !editsTemplates(clicked)) return refused(clicked, state, "template-roll-back", newest?.name);
  const noModel = older.model === undefined ? undefined : whyNotModel(older.model, parts.models);
  if (noModel !== undefined) return refused(clicked, state, "template-roll-back", newest.name, words.templates.mistakes.model);
  const { version: _version, ...content } = older;
  const attempts: readonly Attempt[] = [{ actor: person.id, action: "template-roll-back", subject: older.name }];
  const saved = await desk.templateDesk.save({ key: clickKey(clicked.click), attempts }, content, newest.version);
  if ("version" in saved) parts.templateChanged(clicked.click.tenant);
  const said = words.templates;
  const notice =
    saved.status === "changed"
      ? said.rolledBack(older.version, saved.version)
      : saved.status === "stale"
        ? said.stale((await desk.templates.find(older.name))?.version ?? 0)
        : undefined;
  return () => versions(clicked, state, 0, notice);
}

/** Makes the template the assistant of the chosen channel, through the same door as `/footnote template use`. */
export async function giveToChannel(clicked: Clicked): Promise<Rendering> {
  const { click, person, desk, parts, words } = clicked;
  const state = ownTemplatesState(clicked);
  const template = await desk.templates.find(clickedName({ click }));
  const channel = state?.channel !== undefined && (await readsPlace(state.channel, clicked)) ? channelId(state.channel) : undefined;
  if (!state || !template || !channel) return refused(clicked, state, "template-use", template?.name);
  const attempts: readonly Attempt[] = [{ actor: person.id, action: "template-use", subject: template.name, channel }];
  const once = { key: clickKey(click), attempts };
  const used = await chooseTemplate({ person, desk, parts }, once, { tenant: click.tenant, channel }, template);
  const said = words.templates;
  const sentence =
    typeof used === "object"
      ? words.surface.refused
      : used === "changed"
        ? said.used(`<#${channel}>`)
        : used === "unchanged"
          ? said.usedAlready(`<#${channel}>`)
          : undefined;
  return () => one(clicked, { ...state, name: template.name }, sentence);
}

/** Stores what stands in a form as the next version. Nothing is lost when it cannot be: the form comes back with it. */
export async function saveTemplate(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const state = ownTemplatesState(clicked);
  const said = words.templates;
  const attempts: readonly Attempt[] = [{ actor: person.id, action: "template-apply", subject: state?.name ?? "new" }];
  const once = { key: clickKey(click), attempts };
  if (!state || !editsTemplates(clicked)) {
    await desk.commands.take(once);
    return sayingModal(said.title, words.surface.refused, words);
  }
  const facts = { tools: parts.tools, models: parts.models };
  const read = templateOf(click, state, facts);
  if ("wrong" in read)
    return sayingModal(said.title, [said.invalid, ...read.wrong.map((field) => `• ${said.mistakes[field]}`)].join("\n"), words);
  const { template } = read;
  const onto = state.onto ?? 0;
  const before = await desk.templates.find(template.name);
  if (state.name === undefined && before) return form(clicked, state, { ...template, version: 0 }, said.mistakes.nameTaken);
  const named = [{ actor: person.id, action: "template-apply" as const, subject: template.name }];
  const saved = await desk.templateDesk.save({ key: once.key, attempts: named }, template, onto);
  if (saved.status === "stale") {
    const newest = (await desk.templates.find(template.name))?.version ?? 0;
    return form(clicked, { ...state, name: template.name }, { ...template, version: newest }, said.stale(newest));
  }
  parts.templateChanged(click.tenant);
  const notice = saved.status === "unchanged" ? said.unchanged : "version" in saved ? said.saved(saved.version) : undefined;
  return one(clicked, { ...state, name: template.name }, notice);
}

/** Notes a click that changes nothing, and shows how things stand. */
async function refused(
  clicked: Clicked,
  state: TemplatesState | undefined,
  action: Attempt["action"],
  subject = "unknown",
  notice = clicked.words.surface.refused,
): Promise<Rendering> {
  const attempts = [{ actor: clicked.person.id, action, subject }];
  await clicked.desk.commands.take({ key: clickKey(clicked.click), attempts });
  return async () => (state ? list(clicked, state, notice) : nothingHere(clicked));
}

async function list(clicked: Clicked, state: TemplatesState, notice?: string): Promise<ModalView> {
  const { desk, words } = clicked;
  const [templates, here] = await Promise.all([desk.templates.list(), state.channel ? desk.templates.inChannel(state.channel) : undefined]);
  return listView(state, { templates, here: here?.name, isAdmin: editsTemplates(clicked) }, words, notice);
}

async function one(clicked: Clicked, state: TemplatesState, notice?: string): Promise<ModalView> {
  const { desk, person, words } = clicked;
  const template = await desk.templates.find(state.name ?? "");
  if (!template) return list(clicked, state, words.templates.none);
  const admin = editsTemplates(clicked);
  const own = admin ? await desk.directory.channelsOf(person.id) : [];
  const places = await Promise.all(own.slice(0, mostChannels).map((id) => desk.directory.place(id)));
  const channels = places
    .flatMap((place) => (place ? [{ id: place.id, name: place.name }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return templateView(state, { template, isAdmin: admin, channels, channelCount: own.length }, words, notice);
}

async function versions(clicked: Clicked, state: TemplatesState, page: number, notice?: string): Promise<ModalView> {
  const { desk, words } = clicked;
  const name = state.name ?? "";
  const [template, { versions: found, total }] = await Promise.all([
    desk.templates.find(name),
    desk.templateDesk.versions(name, { limit: perPage, offset: page * perPage }),
  ]);
  return template
    ? versionsView(state, { template, versions: found, total, page }, words, notice)
    : list(clicked, state, words.templates.none);
}

async function versionAt({ click, desk }: Clicked, { name = "" }: TemplatesState) {
  const version = /^\d{1,6}$/.test(click.value) ? Number(click.value) : 0;
  const [older, newest] = await Promise.all([desk.templateDesk.version(name, version), desk.templates.find(name)]);
  return { older, newest };
}

const form = async ({ parts, words }: Clicked, state: TemplatesState, template: StoredTemplate, notice?: string): Promise<ModalView> =>
  templateForm(template, { ...state, onto: template.version }, { tools: parts.tools, models: parts.models }, words, notice);

const pageOf = (value: string): number => (/^\d{1,3}$/.test(value) ? Number(value) : 0);
const nothingHere = ({ words }: Clicked): ModalView => sayingModal(words.templates.title, words.templates.none, words);
