import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

/** The note that this is no real Slack, with more behind a click. */
export function About(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <footer class="about">
      <p>
        A playground with a fake Slack. Nothing leaves this computer.{" "}
        <button type="button" class="link" onClick={() => dialog.current?.showModal()}>
          What is this?
        </button>
      </p>
      <dialog ref={dialog} aria-labelledby="about-title">
        <header>
          <h2 id="about-title">About this playground</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        <p>
          The page you see is a small imitation of Slack that runs beside the bot. The bot is the real one: it reaches this page exactly as
          it reaches Slack, so what it does here it does in your workspace too.
        </p>
        <ul>
          <li>There are two companies. They use the same names, and their documents say different things.</li>
          <li>
            Switch the person at the left: each may read different documents, and answers in a channel use only what everybody in it may
            read.
          </li>
          <li>
            Write <code>@footnote</code> and a question in a channel, or just the question in the direct message. Follow up in the thread.
          </li>
          <li>A source below an answer opens the passage it was taken from.</li>
        </ul>
        <p>
          Who may see what, and more questions to try: <code>playground/seed/README.md</code>. Your own Slack, documents and model:{" "}
          <code>README.md</code>.
        </p>
      </dialog>
    </footer>
  );
}
