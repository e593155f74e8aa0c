import { randomBytes } from "node:crypto";
import { mentionsIn } from "./mrkdwn.ts";
import { messageJson } from "./shapes.ts";
import { appId, type Change, type Channel, type Json, type Message, type State, type Workspace } from "./state.ts";
import { actionTokenFor, searchScope } from "./web-api/search.ts";

const kinds = { public: "channel", private: "group", direct: "im" } as const;

/** The channel_type of message events. */
const channelType = (channel: Channel): string => kinds[channel.kind];

/**
 * The envelopes that Slack would send the app for a change, in order. Nothing when the app may not see it: ephemeral
 * messages, channels its bot is not in, workspaces that do not have it installed.
 * @param subscribed names of events the app asked for; message events go by `message.<channel_type>`
 */
export function envelopesFor(state: State, change: Change, subscribed: ReadonlySet<string>): readonly Json[] {
  if (change.type === "status" || change.type === "record" || change.type === "view") return [];
  if (change.type === "event") {
    const receiver = change.channel ? receiverIn(state, change.channel, change.workspace) : change.workspace;
    if (!receiver || !subscribed.has(String(change.event.type))) return [];
    return [envelope(state, receiver, change.channel, change.event)];
  }
  const { channel, message, workspace } = change;
  if (message.ephemeralTo) return [];
  const receiver = receiverIn(state, channel, workspace);
  if (!receiver) return [];
  const found: Json[] = [];
  if (change.type === "message-posted" && channel.kind !== "direct" && subscribed.has("app_mention")) {
    for (const mentioned of mentionedBots(state, channel, message)) {
      const { channel_type: _, ...event } = messageEvent(mentioned, channel, message);
      found.push(envelope(state, mentioned, channel, { ...event, type: "app_mention" }));
    }
  }
  if (subscribed.has(`message.${channelType(channel)}`)) {
    const event = change.type === "message-posted" ? messageEvent(receiver, channel, message) : hiddenEvent(state, receiver, change);
    found.push(envelope(state, receiver, channel, event));
  }
  return found;
}

/** The installation whose bot hears a channel: the changing workspace's own first. One event goes to one installation, as with Slack. */
function receiverIn(state: State, channel: Channel, preferred: Workspace): Workspace | undefined {
  return installationsIn(state, channel).sort((a, b) => Number(b === preferred) - Number(a === preferred))[0];
}

/** Every installation whose bot is in the channel. */
export const installationsIn = (state: State, channel: Channel): Workspace[] =>
  state.workspaces.filter(
    (workspace) => workspace.installed && workspace.channels.get(channel.id) === channel && channel.members.has(workspace.bot.id),
  );

function mentionedBots(state: State, channel: Channel, message: Message): readonly Workspace[] {
  const mentioned = new Set(mentionsIn(message.text).map((mention) => mention.target));
  return installationsIn(state, channel).filter((workspace) => mentioned.has(workspace.bot.id) && message.userId !== workspace.bot.id);
}

function messageEvent(workspace: Workspace, channel: Channel, message: Message): Json {
  // Only to an app that may search.
  const leave =
    message.botId || !workspace.scopes?.includes(searchScope)
      ? {}
      : { assistant_thread: { action_token: actionTokenFor(channel, message) } };
  const at = { channel: channel.id, event_ts: message.ts, channel_type: channelType(channel) };
  return { ...messageJson(workspace, channel, message), ...leave, ...at };
}

/** message_changed and message_deleted: events about a message rather than messages. */
function hiddenEvent(
  state: State,
  workspace: Workspace,
  change: Exclude<Change, { type: "status" | "record" | "event" | "view" | "message-posted" }>,
): Json {
  const { channel, message, previous } = change;
  const ts = state.nextTs();
  const rest = { previous_message: previous, channel: channel.id, hidden: true, ts, event_ts: ts, channel_type: channelType(channel) };
  if (change.type === "message-deleted") return { type: "message", subtype: "message_deleted", deleted_ts: message.ts, ...rest };
  const now = { ...messageJson(workspace, channel, message), source_team: message.teamId, user_team: message.teamId };
  return { type: "message", subtype: "message_changed", message: now, ...rest };
}

/**
 * In a channel shared with another organisation the fields disagree, as recorded from Slack: `team_id` of message events is the
 * channel's owner, `authorizations` and `context_team_id` are the installation, `user_team` is the author's own workspace.
 */
function envelope(state: State, receiver: Workspace, channel: Channel | undefined, event: Json): Json {
  const shared = channel?.connect === "shared";
  const foreign = shared && typeof event.team === "string" && event.team !== receiver.teamId;
  const seconds = Math.floor(state.clock.now().getTime() / 1000);
  const context = { et: event.type, tid: receiver.teamId, aid: appId, cid: channel?.id };
  return {
    token: "playground",
    team_id: shared && event.type === "message" ? channel.hostTeamId : receiver.teamId,
    context_team_id: receiver.teamId,
    context_enterprise_id: receiver.enterprise?.id ?? null,
    ...(receiver.enterprise && { enterprise_id: receiver.enterprise.id }),
    api_app_id: appId,
    event: foreign ? { ...event, user_team: event.team, source_team: event.team } : event,
    type: "event_callback",
    event_id: `Ev${randomBytes(5).toString("hex").toUpperCase()}`,
    event_time: seconds,
    authorizations: [
      {
        enterprise_id: receiver.enterprise?.id ?? null,
        team_id: receiver.teamId,
        user_id: receiver.bot.id,
        is_bot: true,
        is_enterprise_install: receiver.throughOrganisation === true,
      },
    ],
    is_ext_shared_channel: shared,
    event_context: `4-${Buffer.from(JSON.stringify(context)).toString("base64url")}`,
  };
}
