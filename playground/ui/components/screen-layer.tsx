import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { useScreen } from "../use-screen.ts";
import { Modal } from "./modal.tsx";

/** The bot's modals above everything else: the one on top, as in Slack. */
export function ScreenLayer(): JSX.Element | null {
  const top = useScreen(useSession())?.modals.at(-1);
  return top ? <Modal key={top.id} view={top} /> : null;
}
