import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BlockButton } from "../block-kit.ts";
import { clickButton, type Message } from "../page-api.ts";
import { useSession } from "../session.ts";

/** A bot's button. It waits while its click is on the way, and says so when the click did not arrive. */
export function ActionButton({ message, button }: { readonly message: Message; readonly button: BlockButton }): JSX.Element {
  const { viewer, channel } = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { blockId, actionId, value, url, confirm: question } = button;
  const onClick = async () => {
    if (question && !confirm(question)) return;
    if (url) open(url, "_blank", "noopener,noreferrer");
    setBusy(true);
    await clickButton(viewer, { channel: channel?.id ?? "direct", ts: message.ts, blockId, actionId, value }).then(
      () => setError(undefined),
      (failure: Error) => setError(failure.message),
    );
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        class="action"
        data-style={button.style}
        aria-label={button.spoken}
        disabled={busy}
        onClick={() => void onClick()}
      >
        {button.label}
      </button>
      {error && <span role="alert">{error}</span>}
    </>
  );
}
