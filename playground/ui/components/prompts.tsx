import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { actOnScreen } from "../page-api.ts";
import { useSession } from "../session.ts";
import { useScreen } from "../use-screen.ts";
import { useSend } from "../use-send.ts";

/** Questions that the bot offers in the direct message, above the field in which people write. */
export function Prompts(): JSX.Element | null {
  const session = useSession();
  const { viewer } = session;
  const screen = useScreen(session);
  const { send } = useSend();
  useEffect(() => {
    // Without them the conversation is the same.
    actOnScreen(viewer, "open-messages").catch(() => undefined);
  }, [viewer.workspace, viewer.as]);
  if (!screen?.prompts) return null;
  const { title, prompts } = screen.prompts;
  return (
    <section class="prompts" aria-label={title}>
      <p>{title}</p>
      {prompts.map((prompt) => (
        <button type="button" key={prompt.message} title={prompt.message} onClick={() => void send(prompt.message)}>
          {prompt.title}
        </button>
      ))}
    </section>
  );
}
