import { ApiError } from "../api-error.ts";
import { installationsIn } from "../events.ts";
import { appId, type Json, type State } from "../state.ts";
import type { AppCall, Args } from "./call.ts";

/** Methods for the app-level token. */
export const appMethods: Readonly<Record<string, (call: AppCall) => Json>> = {
  "apps.connections.open": ({ socket, socketUrl }) => {
    const ticket = socket.ticket();
    if (!ticket) throw new ApiError("too_many_websockets");
    return { url: socketUrl(ticket) };
  },
  "apps.event.authorizations.list": ({ state, args }) => {
    const context = readContext(args.string("event_context"));
    const channel = state.workspaces.map((workspace) => workspace.channels.get(String(context.cid))).find(Boolean);
    const installations = channel
      ? installationsIn(state, channel)
      : state.workspaces.filter((workspace) => workspace.teamId === context.tid);
    const authorizations = installations.map((workspace) => ({
      enterprise_id: workspace.enterprise?.id ?? null,
      team_id: workspace.teamId,
      user_id: workspace.bot.id,
      is_bot: true,
      is_enterprise_install: false,
    }));
    return { authorizations };
  },
};

/** Methods without a token. */
export const openMethods: Readonly<Record<string, (state: State, args: Args) => Json>> = {
  "api.test": (_state, args) => ({ args: args.plain() }),
  /** A code is the name of the workspace that is being installed. */
  "oauth.v2.access": (state, args) => {
    if (!args.has("client_id")) throw new ApiError("invalid_client_id");
    const workspace = state.workspaces.find((candidate) => candidate.name === args.string("code"));
    if (!workspace) throw new ApiError("invalid_code");
    workspace.installed = true;
    return {
      access_token: workspace.botToken,
      token_type: "bot",
      scope: (workspace.scopes ?? ["chat:write"]).join(","),
      bot_user_id: workspace.bot.id,
      app_id: appId,
      team: { id: workspace.teamId, name: workspace.title },
      enterprise: workspace.enterprise ?? null,
      is_enterprise_install: false,
      authed_user: { id: [...workspace.people.values()].find((person) => person.role === "admin")?.id ?? workspace.bot.id },
    };
  },
};

function readContext(raw: string | undefined): Json {
  try {
    return JSON.parse(Buffer.from((raw ?? "").replace(/^4-/, ""), "base64url").toString()) as Json;
  } catch {
    throw new ApiError("invalid_event_context");
  }
}
