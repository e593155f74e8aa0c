import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dayOf } from "../time.ts";
import type { Conversation } from "../use-conversation.ts";
import { MessageView } from "./message.tsx";

interface Props {
  readonly conversation: Conversation;
  readonly label: string;
  readonly empty: JSX.Element;
  readonly thread?: string;
}

/** Pixels from the end within which a reader is taken to follow what is being written. */
const followDistance = 120;

/** The messages, oldest first. It stays at the end while messages arrive, unless the reader has scrolled up. */
export function MessageList({ conversation, label, empty, thread }: Props): JSX.Element {
  const { messages, error, status } = conversation;
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  });
  const onScroll = () => {
    const element = list.current;
    if (element) follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < followDistance;
  };
  return (
    <div class="scroll" ref={list} onScroll={onScroll}>
      {error && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {messages?.length === 0 && !error && empty}
      <div class="messages" role="log" aria-live="polite" aria-label={label}>
        {messages?.map((message, index) => {
          const before = messages[index - 1];
          const newDay = !before || dayOf(before.ts) !== dayOf(message.ts);
          return (
            <div key={message.ts} class={thread === message.ts ? "root" : undefined}>
              {newDay && !thread && (
                <p class="day">
                  <span>{dayOf(message.ts)}</span>
                </p>
              )}
              <MessageView message={message} inThread={thread !== undefined} />
            </div>
          );
        })}
      </div>
      <p class="status" role="status">
        {status && `Footnote ${status}`}
      </p>
    </div>
  );
}
