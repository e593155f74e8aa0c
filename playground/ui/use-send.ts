import { useState } from "preact/hooks";
import { postMessage, type SentFile } from "./page-api.ts";
import { useSession } from "./session.ts";

/**
 * Writes a message where the person is. A new question to the bot opens its thread, because that is where the answer comes.
 * `send` resolves with whether it went out; if not, `error` says why.
 */
export function useSend(thread?: string): {
  readonly send: (text: string, files?: readonly SentFile[]) => Promise<boolean>;
  readonly error: string | undefined;
} {
  const { viewer, channel, go } = useSession();
  const [error, setError] = useState<string>();
  const send = async (text: string, files: readonly SentFile[] = []): Promise<boolean> => {
    try {
      const posted = await postMessage(viewer, channel?.id ?? "direct", text, thread, files);
      setError(undefined);
      const asksTheBot = /(^|\W)@footnote\b/i.test(text) || !channel;
      if (!thread && posted.ts && asksTheBot && !text.startsWith("/")) go({ thread: posted.ts });
      return true;
    } catch (failure) {
      setError((failure as Error).message);
      return false;
    }
  };
  return { send, error };
}
