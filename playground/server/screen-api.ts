import type { OnScreen, Screens } from "./screens.ts";
import type { Json, View } from "./state.ts";

/** A modal or App Home as the page shows it, as the app has written it. */
export interface PageView {
  readonly id: string;
  readonly hash: string;
  readonly title?: string;
  /** The label of the button that sends it; absent when it is no form. */
  readonly submit?: string;
  readonly close?: string;
  readonly blocks: readonly Json[];
}

/** What is on somebody's screen beside the conversation. */
export interface PageScreen {
  /** From the bottom to the top. */
  readonly modals: readonly PageView[];
  readonly home?: PageView;
  /** Names of the threads of the direct message, by thread. */
  readonly titles: Readonly<Record<string, string>>;
  /** Questions that are offered in it. */
  readonly prompts?: { readonly title: string; readonly prompts: readonly { readonly title: string; readonly message: string }[] };
}

export function pageScreen(screens: Screens, on: OnScreen): PageScreen {
  const home = screens.home(on);
  const { titles, prompts } = screens.agentView(on);
  return {
    modals: screens.modals(on).map(pageView),
    ...(home && { home: pageView(home) }),
    titles: Object.fromEntries(titles),
    ...(prompts && { prompts }),
  };
}

/** What somebody does on their screen. Rejects when there is no such thing on it. */
export async function actOnScreen(screens: Screens, on: OnScreen, action: string, fields: Json): Promise<Json> {
  const surface = fields.surface === "home" ? ("home" as const) : ("modal" as const);
  const entered = (typeof fields.values === "object" && fields.values !== null ? fields.values : {}) as Json;
  const element = {
    actionId: String(fields.actionId ?? ""),
    ...(typeof fields.blockId === "string" && { blockId: fields.blockId }),
  };
  switch (action) {
    case "open-home":
      screens.openHome(on);
      return { ok: true };
    case "open-messages":
      screens.openHome({ ...on, tab: "messages", ...(typeof fields.beside === "string" && { beside: fields.beside }) });
      return { ok: true };
    case "click": {
      const value = typeof fields.value === "string" ? { value: fields.value } : {};
      const { outcome } = await screens.click({ ...on, surface, ...element, ...value, entered });
      return { ok: outcome === "acknowledged" };
    }
    case "suggest":
      return { options: await screens.suggest({ ...on, surface, ...element, typed: String(fields.typed ?? "") }) };
    case "submit": {
      const { outcome, body } = await screens.submit({ ...on, values: entered });
      return { ok: outcome === "acknowledged", ...(body?.response_action === "errors" && { errors: body.errors }) };
    }
    case "close":
      screens.close({ ...on, all: fields.all === true });
      return { ok: true };
    default:
      throw new Error(`Nobody can ${action} on a screen.`);
  }
}

function pageView({ id, hash, body }: View): PageView {
  const label = (name: string) => (body[name] as { readonly text?: string } | undefined)?.text;
  const [title, submit, close] = [label("title"), label("submit"), label("close")];
  return {
    id,
    hash,
    ...(title !== undefined && { title }),
    ...(submit !== undefined && { submit }),
    ...(close !== undefined && { close }),
    blocks: (body.blocks as readonly Json[] | undefined) ?? [],
  };
}
