import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Option } from "./block-elements.ts";

/** Which element of which block. */
export interface ElementId {
  readonly blockId: string;
  readonly actionId: string;
}

/** What becomes of an element that somebody uses: it depends on whether it stands in a message, a modal or App Home. */
export interface ElementUse {
  /** Rejects with a sentence when the bot did not take it. */
  use(element: ElementId, value: string): Promise<void>;
  /** What was entered into a form before; undefined when nothing was. */
  entered?(element: ElementId): string | undefined;
  enter?(element: ElementId, value: string): void;
  /** Options for what was typed. */
  suggest?(element: ElementId, typed: string): Promise<readonly Option[]>;
}

export const ElementUseContext = createContext<ElementUse | undefined>(undefined);

export function useElements(): ElementUse {
  const use = useContext(ElementUseContext);
  if (!use) throw new Error("useElements outside of a message, a modal or App Home");
  return use;
}
