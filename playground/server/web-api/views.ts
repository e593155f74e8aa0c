import { randomBytes } from "node:crypto";
import { ApiError } from "../api-error.ts";
import { viewJson } from "../interactions.ts";
import { checkView } from "../limits.ts";
import { stackOf } from "../screens.ts";
import type { Json, View } from "../state.ts";
import { type BotMethod, type Call, userOf } from "./call.ts";

/** Modals that may lie on top of each other. */
const maxStack = 3;

/** views.*: modals and App Home. */
export const viewMethods: Readonly<Record<string, BotMethod>> = {
  "views.open": {
    tier: 4,
    required: ["trigger_id", "view"],
    run: (call) => ({ view: viewJson(call.workspace, openView(call, "open")) }),
  },
  "views.push": {
    tier: 4,
    required: ["trigger_id", "view"],
    run: (call) => {
      return { view: viewJson(call.workspace, openView(call, "push")) };
    },
  },
  "views.update": {
    tier: 4,
    required: ["view"],
    run: (call) => {
      const view = call.workspace.views.get(call.args.need("view_id"));
      if (!view) throw new ApiError("not_found");
      const hash = call.args.string("hash");
      if (hash && hash !== view.hash) throw new ApiError("hash_conflict");
      view.body = viewBody(call, "modal");
      view.hash = newHash(call);
      call.state.announce({ type: "view", workspace: call.workspace, userId: view.userId });
      return { view: viewJson(call.workspace, view) };
    },
  },
  "views.publish": {
    tier: 4,
    required: ["user_id", "view"],
    run: (call) => {
      const { workspace, args } = call;
      const person = userOf(call, "user_id");
      const old = workspace.homes.get(person.id);
      const hash = args.string("hash");
      if (hash && old && hash !== old.hash) throw new ApiError("hash_conflict");
      const home = old ?? newView(call, person.id, undefined);
      home.body = viewBody(call, "home");
      home.hash = newHash(call);
      workspace.homes.set(person.id, home);
      call.state.announce({ type: "view", workspace, userId: person.id });
      return { view: viewJson(workspace, home) };
    },
  },
};

/** A modal that was open before gives way to a new one, and stays below a pushed one. */
function openView(call: Call, how: "open" | "push"): View {
  const { workspace, state } = call;
  const body = viewBody(call, "modal");
  const userId = call.interactions.exchange(call.args.need("trigger_id"), workspace);
  const stack = stackOf(workspace, { id: userId });
  const below = how === "push" ? stack.at(-1) : undefined;
  if (how === "push" && !below) throw new ApiError("not_found");
  if (how === "push" && stack.length >= maxStack) throw new ApiError("push_limit_reached");
  if (how === "open") for (const { id } of stack) workspace.views.delete(id);
  const view = newView(call, userId, below);
  view.body = body;
  workspace.views.set(view.id, view);
  state.announce({ type: "view", workspace, userId });
  return view;
}

function newView(call: Call, userId: string, below: View | undefined): View {
  const id = `V${randomBytes(5).toString("hex").toUpperCase()}`;
  return { id, userId, rootId: below?.rootId ?? id, previousId: below?.id ?? null, hash: newHash(call), body: {} };
}

const newHash = (call: Call): string => `${Math.floor(call.state.clock.now().getTime() / 1000)}.${randomBytes(4).toString("hex")}`;

function viewBody(call: Call, type: "modal" | "home"): Json {
  const body = call.args.object("view", "invalid_arguments") ?? {};
  if (body.type !== type) throw new ApiError("invalid_arguments");
  return checkView(body, type);
}
