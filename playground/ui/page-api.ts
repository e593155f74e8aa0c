/** What the fake Slack tells the page, and what the page can ask of it. Same origin, JSON. */

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly role: string;
  /** Ids of the channels this person is in. */
  readonly channels: readonly string[];
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly private: boolean;
  readonly topic: string;
  readonly members: readonly string[];
}

export interface Workspace {
  readonly name: string;
  readonly title: string;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  readonly bot: { readonly id: string; readonly name: string };
}

/** A Block Kit block as the bot sent it: read with care, it is not ours. */
export type Block = Readonly<Record<string, unknown>>;

export interface Message {
  /** Slack's timestamp, which is the message's id in its channel. */
  readonly ts: string;
  readonly threadTs?: string;
  readonly userId: string;
  readonly botId?: string;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly files?: readonly { readonly name: string; readonly kind: string; readonly bytes: number }[];
  readonly edited?: boolean;
  readonly replyCount?: number;
  readonly ephemeral?: boolean;
  readonly streaming?: boolean;
}

/** News of a conversation, or of the viewer's modals and App Home. */
export type PageEvent = ConversationEvent | { readonly type: "view" };

export interface ConversationEvent {
  readonly type: "message" | "changed" | "deleted" | "status" | "ephemeral";
  /** Channel id. */
  readonly channel: string;
  readonly message: Partial<Message> & { readonly status?: string };
}

/** Whose eyes the page looks through. */
export interface Viewer {
  readonly workspace: string;
  /** The person's id. */
  readonly as: string;
}

/** A button that was clicked. */
export interface Click {
  readonly channel: string;
  readonly ts: string;
  readonly blockId: string;
  readonly actionId: string;
  readonly value: string;
}

const root = "/playground/api";

/** What the server's codes mean to a person. */
const sentences: Readonly<Record<string, string>> = {
  channel_not_found: "This conversation does not exist, or you may not read it.",
  not_in_channel: "You are not in this channel.",
  too_large: "These files are too large to be sent together: 25 MB in all.",
  no_such_action: "This button is no longer there.",
  "not supported in threads": "Slack's commands do not work inside threads. Write it in the channel.",
};

/** Every workspace with its people and channels. */
export const getWorkspaces = (): Promise<readonly Workspace[]> => ask("workspaces");

/** The channel's messages, or a thread's with its first message. `channel` is an id or "direct". */
export async function getMessages(viewer: Viewer, channel: string, thread?: string): Promise<readonly Message[]> {
  const query = new URLSearchParams({ ...viewer, channel, ...(thread && { thread }) });
  const answer = await ask<{ readonly messages: readonly Message[] }>(`messages?${query}`);
  return answer.messages;
}

/** Writes as the viewer. Resolves with the new message's ts, except for a slash command, which leaves no message. */
export const postMessage = (
  viewer: Viewer,
  channel: string,
  text: string,
  thread?: string,
  files: readonly SentFile[] = [],
): Promise<{ readonly ts?: string; readonly channel: string }> =>
  ask("messages", { ...viewer, channel, text, ...(thread && { thread }), ...(files.length > 0 && { files }) });

/** A file that is sent along. */
export interface SentFile {
  readonly name: string;
  /** Base64. */
  readonly data: string;
}

/** Runs one of the app's shortcuts on a message. @throws Error also when the bot did not take it */
export async function runShortcut(
  viewer: Viewer,
  at: { readonly channel: string; readonly ts: string; readonly callbackId: string },
): Promise<void> {
  const answer = await ask<{ readonly ok: boolean }>("shortcuts", { ...viewer, ...at });
  if (!answer.ok) throw new Error("Footnote did not react. Try again.");
}

/** @throws Error also when the bot did not acknowledge the click */
export async function clickButton(viewer: Viewer, click: Click): Promise<void> {
  const answer = await ask<{ readonly ok: boolean }>("actions", { ...viewer, ...click });
  if (!answer.ok) throw new Error("Footnote did not react. Try again.");
}

/** A modal or App Home as the bot has written it. */
export interface View {
  readonly id: string;
  readonly hash: string;
  readonly title?: string;
  /** Present when it is a form. */
  readonly submit?: string;
  readonly close?: string;
  readonly blocks: readonly Block[];
}

/** What is on the viewer's screen beside the conversation; of the modals the last one is on top. */
export interface Screen {
  readonly modals: readonly View[];
  readonly home?: View;
  /** Names of the threads of the direct message, by thread. */
  readonly titles: Readonly<Record<string, string>>;
  /** Questions that are offered in it. */
  readonly prompts?: { readonly title: string; readonly prompts: readonly { readonly title: string; readonly message: string }[] };
}

export const getScreen = (viewer: Viewer): Promise<Screen> => ask(`screen?${new URLSearchParams({ ...viewer })}`);

/** What was entered, as Slack sends it: by block id, then by action id. */
export type Values = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Does something on the viewer's screen. @throws Error also when the bot did not take it */
export async function actOnScreen(
  viewer: Viewer,
  action: "open-home" | "open-messages" | "click" | "suggest" | "submit" | "close",
  fields: object = {},
): Promise<{ readonly options?: readonly unknown[]; readonly errors?: Readonly<Record<string, string>> }> {
  const answer = await ask<{ readonly ok?: boolean; readonly options?: readonly unknown[]; readonly errors?: Record<string, string> }>(
    `screen/${action}`,
    { ...viewer, ...fields },
  );
  if (answer.ok === false) throw new Error("Footnote did not react. Try again.");
  return answer;
}

/** The address of the viewer's event stream. */
export const eventsUrl = (viewer: Viewer): string => `${root}/events?${new URLSearchParams({ ...viewer })}`;

/** @throws Error with the server's own sentence, fit to be shown */
async function ask<T>(path: string, body?: object): Promise<T> {
  const init = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  const response = await fetch(`${root}/${path}`, init).catch(() => {
    throw new Error("The playground does not answer. Is it still running?");
  });
  const answer = (await response.json().catch(() => ({}))) as T & { readonly error?: string };
  if (!response.ok || answer.error)
    throw new Error(sentences[answer.error ?? ""] ?? answer.error ?? `The playground answered ${response.status}.`);
  return answer;
}
