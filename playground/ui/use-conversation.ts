import { useEffect, useState } from "preact/hooks";
import { applyEvent, arrange } from "./conversation.ts";
import { getMessages, type Message } from "./page-api.ts";
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
    const load = () =>
      getMessages(viewer, session.channel?.id ?? "direct", thread).then(
        (messages) => current && setState({ messages: arrange(messages, thread) }),
        (failure: Error) => current && setState((before) => ({ ...before, error: failure.message })),
      );
    setState({});
    void load();
    const scope = { inChannel: (id: string) => isShown(session, id), ...(thread && { thread }) };
    const stopEvents = feed.onEvent((event) => {
      if (event.type === "view") return;
      if (event.type === "status") {
        if (scope.inChannel(event.channel) && event.message.threadTs === thread)
          setState((before) => withStatus(before, event.message.status));
        return;
      }
      setState((before) => {
        if (!before.messages) return before;
        const messages = applyEvent(before.messages, event, scope);
        const answered = messages !== before.messages && event.message.botId;
        return answered ? withStatus({ ...before, messages }, undefined) : { ...before, messages };
      });
    });
    const stopReopen = feed.onReopen(() => void load());
    return () => {
      current = false;
      stopEvents();
      stopReopen();
    };
  }, [viewer.workspace, viewer.as, place.channel, thread, feed]);

  return state;
}

function withStatus({ status: _old, ...rest }: Conversation, status: string | undefined): Conversation {
  return status ? { ...rest, status } : rest;
}
