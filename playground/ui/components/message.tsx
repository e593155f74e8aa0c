import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { readBlocks } from "../block-kit.ts";
import { type ElementId, ElementUseContext } from "../element-use.ts";
import { Mrkdwn } from "../mrkdwn/render.tsx";
import { clickButton, type Message, runShortcut } from "../page-api.ts";
import { useSession } from "../session.ts";
import { clockTime, fullTime, isoTime } from "../time.ts";
import { Avatar } from "./avatar.tsx";
import { Blocks } from "./blocks.tsx";
import { Icon } from "./icons.tsx";

/** The app's shortcuts of messages, as manifest.yml names them. */
const shortcuts = [
  { label: "Ask about this", callbackId: "ask_about_this" },
  { label: "Add to knowledge", callbackId: "add_to_knowledge" },
] as const;

/** One message with its author, time, content and, in a channel, the way into its thread. */
export function MessageView({ message, inThread }: { readonly message: Message; readonly inThread: boolean }): JSX.Element {
  const { names, go, viewer, channel } = useSession();
  // People's messages carry Slack's rich text, which says the same as their text.
  const drawables = message.botId ? readBlocks(message.blocks ?? []) : [];
  const use = (element: ElementId, value: string) =>
    clickButton(viewer, { channel: channel?.id ?? "direct", ts: message.ts, ...element, value });
  const at = { channel: channel?.id ?? "direct", ts: message.ts };
  const replies = message.replyCount ?? 0;
  const [problem, setProblem] = useState<string>();
  const run = (callbackId: string) =>
    runShortcut(viewer, { ...at, callbackId }).then(
      () => setProblem(undefined),
      (failure: Error) => setProblem(failure.message),
    );
  return (
    <article class={message.ephemeral ? "message ephemeral" : "message"} aria-busy={message.streaming ? "true" : undefined}>
      <Avatar userId={message.userId} />
      <div class="content">
        {message.ephemeral && (
          <p class="only-you">
            <Icon name="eye" /> Only visible to you
          </p>
        )}
        <p class="byline">
          <strong>{names.user(message.userId) ?? "Somebody"}</strong>
          {message.botId && <span class="badge">App</span>}
          <time dateTime={isoTime(message.ts)} title={fullTime(message.ts)}>
            {clockTime(message.ts)}
          </time>
        </p>
        <div class="body">
          {drawables.length > 0 ? (
            <ElementUseContext.Provider value={{ use }}>
              <Blocks drawables={drawables} />
            </ElementUseContext.Provider>
          ) : (
            <Mrkdwn text={message.text} names={names} />
          )}
          {message.files && (
            <ul class="files" aria-label="Files">
              {message.files.map(({ name, kind }) => (
                <li key={name}>
                  <Icon name="clip" /> <strong>{name}</strong> {kind}
                </li>
              ))}
            </ul>
          )}
          {message.edited && !message.botId && <span class="edited">(edited)</span>}
        </div>
        {!message.botId && !message.ephemeral && (
          <div class="shortcuts" role="toolbar" aria-label="Shortcuts">
            {shortcuts.map(({ label, callbackId }) => (
              <button type="button" key={callbackId} onClick={() => void run(callbackId)}>
                {label}
              </button>
            ))}
          </div>
        )}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {!inThread && !message.ephemeral && (
          <button type="button" class={replies > 0 ? "replies" : "replies quiet"} onClick={() => go({ thread: message.ts })}>
            <Icon name="thread" />
            {replies > 0 ? `${replies} ${replies === 1 ? "reply" : "replies"}` : "Reply in thread"}
          </button>
        )}
      </div>
    </article>
  );
}
