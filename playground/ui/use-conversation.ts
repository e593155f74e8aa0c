import { useEffect, useState } from "preact/hooks";
import { applyEvent, arrange } from "./conversation.ts";
import { getMessages, type Message } from "./page-api.ts";
import { reloader } from "./reloader.ts";
import { isShown, type Session } from "./session.ts";

export interface Conversation {
  /** Undefined while they are being loaded for the first time. */
  readonly messages?: readonly Message[];
  /** Why they could not be loaded. */
  readonly error?: string;
  /** What the bot says it is doing, by Slack's assistant status. */
  readonly status?: string;
}

/** The messages of the channel that is shown, or of one of its threads, kept up to date. */
export function useConversation(session: Session, thread?: string): Conversation {
  const { viewer, place, feed } = session;
  const [state, setState] = useState<Conversation>({});

  useEffect(() => {
    let current = true;
    const { load, happened } = reloader(async () => {
      if (!current) return;
      await getMessages(viewer, session.channel?.id ?? "direct", thread).then(
        (messages) => current && setState((before) => loaded(before, arrange(messages, thread))),
        (failure: Error) => current && setState((before) => ({ ...before, error: failure.message })),
      );
    });
    setState({});
    load();
    const scope = { inChannel: (id: string) => isShown(session, id), ...(thread && { thread }) };
    const stopEvents = feed.onEvent((event) => {
      if (event.type === "view") return;
      if (event.type === "status") {
        if (scope.inChannel(event.channel) && event.message.threadTs === thread)
          setState((before) => withStatus(before, event.message.status));
        return;
      }
      happened();
      setState((before) => {
        if (!before.messages) return before;
        const messages = applyEvent(before.messages, event, scope);
        const answered = messages !== before.messages && event.message.botId;
        return answered ? withStatus({ ...before, messages }, undefined) : { ...before, messages };
      });
    });
    const stopOpen = feed.onOpen(load);
    return () => {
      current = false;
      stopEvents();
      stopOpen();
    };
  }, [viewer.workspace, viewer.as, place.channel, thread, feed]);

  return state;
}

/** What the bot is doing stays, unless it has answered meanwhile. */
function loaded({ messages: known, status }: Conversation, messages: readonly Message[]): Conversation {
  const answered = known && messages.some(({ ts, botId }) => botId && !known.some((each) => each.ts === ts));
  return withStatus({ messages }, answered ? undefined : status);
}

function withStatus({ status: _old, ...rest }: Conversation, status: string | undefined): Conversation {
  return status ? { ...rest, status } : rest;
}
