import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { readBlocks } from "../block-kit.ts";
import { ElementUseContext } from "../element-use.ts";
import { actOnScreen, type View } from "../page-api.ts";
import { useSession } from "../session.ts";
import { useView } from "../use-screen.ts";
import { Blocks } from "./blocks.tsx";
import { Icon, Logo } from "./icons.tsx";

/** The modal on top. Escape closes it, as Slack does. */
export function Modal({ view }: { readonly view: View }): JSX.Element {
  const session = useSession();
  const { viewer } = session;
  const dialog = useRef<HTMLDialogElement>(null);
  const elements = useView(session, view, "modal");
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, [view.id]);
  const act = async (action: "submit" | "close") => {
    setBusy(true);
    await actOnScreen(viewer, action, action === "submit" ? { values: elements.values() } : {}).then(
      (answer) => {
        setErrors(answer.errors ?? {});
        setProblem(undefined);
      },
      (failure: Error) => setProblem(failure.message),
    );
    setBusy(false);
  };
  return (
    <dialog
      ref={dialog}
      class="modal"
      aria-labelledby={`title-${view.id}`}
      onCancel={(event) => {
        event.preventDefault();
        void act("close");
      }}
    >
      <header>
        <Logo />
        <h2 id={`title-${view.id}`}>{view.title}</h2>
        <button type="button" class="icon-button" aria-label="Close the window" onClick={() => void act("close")}>
          <Icon name="close" />
        </button>
      </header>
      <div class="body">
        <ElementUseContext.Provider value={elements}>
          <Blocks drawables={readBlocks(view.blocks)} errors={errors} />
        </ElementUseContext.Provider>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
      <footer>
        <button type="button" class="action" disabled={busy} onClick={() => void act("close")}>
          {view.close ?? "Cancel"}
        </button>
        {view.submit && (
          <button type="button" class="action" data-style="primary" disabled={busy} onClick={() => void act("submit")}>
            {view.submit}
          </button>
        )}
      </footer>
    </dialog>
  );
}
