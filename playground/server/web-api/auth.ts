import { ApiError } from "../api-error.ts";
import { botProfile } from "../shapes.ts";
import { appId } from "../state.ts";
import { type BotMethod, page } from "./call.ts";

/** auth.*, team.*, bots.*: who the token belongs to. */
export const authMethods: Readonly<Record<string, BotMethod>> = {
  "auth.test": {
    tier: 4,
    run: ({ workspace, organisation }) => ({
      url: `https://${workspace.name}.slack.com/`,
      team: workspace.title,
      user: workspace.bot.name,
      team_id: workspace.teamId,
      user_id: workspace.bot.id,
      bot_id: workspace.botId,
      ...(workspace.enterprise && { enterprise_id: workspace.enterprise.id }),
      is_enterprise_install: false,
      ...(organisation && { team: organisation.organisation.name, team_id: organisation.organisation.id, is_enterprise_install: true }),
    }),
  },
  "auth.teams.list": {
    tier: 2,
    run: ({ workspace, organisation, args }) => {
      const { items, response_metadata } = page(organisation?.workspaces ?? [workspace], args, 100);
      return { teams: items.map(({ teamId, title }) => ({ id: teamId, name: title })), response_metadata };
    },
  },
  "auth.revoke": {
    tier: 3,
    run: ({ state, workspace, args }) => {
      if (args.flag("test")) return { revoked: false };
      workspace.installed = false;
      state.announce({ type: "event", workspace, event: { type: "tokens_revoked", tokens: { oauth: [], bot: [workspace.bot.id] } } });
      return { revoked: true };
    },
  },
  "team.info": {
    tier: 3,
    scope: "team:read",
    run: ({ workspace, args }) => {
      const asked = args.string("team");
      if (asked && asked !== workspace.teamId) throw new ApiError("team_not_found");
      return {
        team: {
          id: workspace.teamId,
          name: workspace.title,
          url: `https://${workspace.name}.slack.com/`,
          domain: workspace.name,
          email_domain: "",
          icon: { image_default: true },
          avatar_base_url: "https://playground.invalid/",
          is_verified: false,
          ...(workspace.enterprise && { enterprise_id: workspace.enterprise.id, enterprise_name: workspace.enterprise.name }),
        },
      };
    },
  },
  "bots.info": {
    tier: 3,
    scope: "users:read",
    run: ({ workspace, args }) => {
      const asked = args.string("bot");
      const person = [...workspace.people.values()].find((candidate) => candidate.botId && candidate.botId === (asked ?? workspace.botId));
      if (!person) throw new ApiError("bot_not_found");
      const { icons } = botProfile(workspace);
      return { bot: { id: person.botId, deleted: false, name: person.displayName, updated: 0, app_id: appId, user_id: person.id, icons } };
    },
  },
};
