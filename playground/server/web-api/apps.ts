import { ApiError } from "../api-error.ts";
import { installationsIn } from "../events.ts";
import type { Json, State } from "../state.ts";
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
      is_enterprise_install: workspace.throughOrganisation === true,
    }));
    return { authorizations };
  },
};

/** Methods without a token. */
export const openMethods: Readonly<Record<string, (state: State, args: Args) => Json>> = {
  "api.test": (_state, args) => ({ args: args.plain() }),
};

function readContext(raw: string | undefined): Json {
  try {
    return JSON.parse(Buffer.from((raw ?? "").replace(/^4-/, ""), "base64url").toString()) as Json;
  } catch {
    throw new ApiError("invalid_event_context");
  }
}
