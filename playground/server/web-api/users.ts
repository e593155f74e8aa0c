import { ApiError } from "../api-error.ts";
import { channelJson, userJson } from "../shapes.ts";
import { isMember, type Json, type Person } from "../state.ts";
import { type BotMethod, type Call, page, userOf } from "./call.ts";
import { wantedKind } from "./conversations.ts";

/** users.* and usergroups.*: people. */
export const userMethods: Readonly<Record<string, BotMethod>> = {
  "users.info": {
    tier: 4,
    scope: "users:read",
    required: ["user"],
    run: (call) => ({ user: withLocale(call, userOf(call)) }),
  },
  "users.list": {
    tier: 2,
    scope: "users:read",
    run: (call) => {
      const { state, args, workspace } = call;
      const { items, response_metadata } = page([...workspace.people.values()], args, 1000);
      const cacheTs = Math.floor(state.clock.now().getTime() / 1000);
      return { members: items.map((person) => withLocale(call, person)), cache_ts: cacheTs, response_metadata };
    },
  },
  "users.conversations": {
    tier: 3,
    scope: "channels:read",
    run: (call) => {
      const { workspace, args } = call;
      const person = args.has("user") ? userOf(call) : workspace.bot;
      const wanted = wantedKind(args);
      const visible = [...workspace.channels.values()].filter(
        (channel) => wanted(channel) && isMember(channel, person.id) && (channel.kind === "public" || isMember(channel, workspace.bot.id)),
      );
      const { items, response_metadata } = page(visible, args, 100);
      return { channels: items.map((channel) => channelJson(workspace, channel)), response_metadata };
    },
  },
  "usergroups.list": {
    tier: 2,
    scope: "usergroups:read",
    run: ({ workspace, args }) => ({
      usergroups: workspace.userGroups.map((group) => ({
        id: group.id,
        team_id: workspace.teamId,
        is_usergroup: true,
        name: group.handle,
        description: "",
        handle: group.handle,
        is_external: false,
        date_create: 0,
        date_update: 0,
        date_delete: 0,
        user_count: group.members.length,
        ...(args.flag("include_users") && { users: group.members }),
      })),
    }),
  },
  "usergroups.users.list": {
    tier: 2,
    scope: "usergroups:read",
    required: ["usergroup"],
    run: ({ workspace, args }) => {
      const group = workspace.userGroups.find((candidate) => candidate.id === args.need("usergroup"));
      if (!group) throw new ApiError("no_such_subteam");
      return { users: group.members };
    },
  },
};

const withLocale = ({ state, workspace, args }: Call, person: Person): Json => ({
  ...userJson(state, workspace, person),
  ...(args.flag("include_locale") && person.teamId === workspace.teamId && { locale: person.locale }),
});
