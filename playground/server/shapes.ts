import { appId, type Channel, type Json, type Message, type Person, type State, type Workspace } from "./state.ts";

/** A message as the Web API and events give it. Metadata is left to the caller, which knows whether it was asked for. */
export function messageJson(workspace: Workspace, channel: Channel, message: Message): Json {
  const replies = channel.messages.filter(
    (reply) => reply.threadTs === message.ts && reply.ts !== message.ts && !reply.deleted && !reply.ephemeralTo,
  );
  const root = message.threadTs ? channel.messages.find((candidate) => candidate.ts === message.threadTs) : undefined;
  return {
    ...(message.clientMsgId && { client_msg_id: message.clientMsgId }),
    type: "message",
    ...(message.subtype && { subtype: message.subtype }),
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: message.teamId,
    ...(message.botId && {
      bot_id: message.botId,
      ...(message.botId === workspace.botId && { app_id: appId, bot_profile: botProfile(workspace) }),
    }),
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.attachments.length > 0 && { attachments: message.attachments }),
    ...(message.files && { files: message.files, upload: false, display_as_bot: false }),
    ...(message.edited && { edited: message.edited }),
    ...(message.threadTs && { thread_ts: message.threadTs, ...(root && { parent_user_id: root.userId }) }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      reply_users_count: new Set(replies.map((reply) => reply.userId)).size,
      latest_reply: replies.at(-1)?.ts,
      reply_users: [...new Set(replies.map((reply) => reply.userId))],
      is_locked: false,
      subscribed: false,
    }),
    ...(message.reactions.size > 0 && {
      reactions: [...message.reactions].map(([name, users]) => ({ name, users: [...users], count: users.size })),
    }),
    ...(message.stream && { streaming_state: message.stream.state === "in_progress" ? "in_progress" : "completed" }),
  };
}

const icons = (size: number) => `https://playground.invalid/bot_${size}.png`;

export const botProfile = (workspace: Workspace): Json => ({
  id: workspace.botId,
  deleted: false,
  name: workspace.bot.displayName,
  updated: 0,
  app_id: appId,
  user_id: workspace.bot.id,
  icons: { image_36: icons(36), image_48: icons(48), image_72: icons(72) },
  team_id: workspace.teamId,
});

/** users.info's user. A stranger carries only what Slack shows to other organisations. */
export function userJson(state: State, workspace: Workspace, person: Person): Json {
  const home = state.workspaceOfTeam(person.teamId);
  const stranger = person.teamId !== workspace.teamId;
  const guest = person.role === "guest" || person.role === "single-channel-guest";
  const [firstName, ...lastNames] = person.displayName.split(" ");
  const profile = {
    title: "",
    phone: "",
    skype: "",
    real_name: person.displayName,
    real_name_normalized: person.displayName,
    display_name: person.name,
    display_name_normalized: person.name,
    status_text: "",
    status_emoji: "",
    status_emoji_display_info: [],
    status_expiration: 0,
    avatar_hash: "g0",
    ...(person.botId && { api_app_id: appId, bot_id: person.botId, always_active: false }),
    image_24: icons(24),
    image_32: icons(32),
    image_48: icons(48),
    image_72: icons(72),
    image_192: icons(192),
    image_512: icons(512),
    status_text_canonical: "",
    team: person.teamId,
    first_name: firstName,
    last_name: lastNames.join(" "),
  };
  const common = {
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: person.deactivated,
    profile,
    is_bot: person.botId !== undefined,
    is_app_user: false,
    updated: 0,
  };
  if (stranger)
    return {
      ...common,
      real_name: person.displayName,
      tz: person.timeZone,
      is_restricted: guest,
      is_ultra_restricted: false,
      is_stranger: true,
    };
  if (person.deactivated) return { ...common, is_forgotten: false };
  const enterprise = home?.enterprise ?? workspace.enterprise;
  return {
    ...common,
    color: "9f69e7",
    real_name: person.displayName,
    tz: person.timeZone,
    tz_label: person.timeZone,
    tz_offset: 0,
    is_admin: person.role === "admin" || person.role === "owner",
    is_owner: person.role === "owner",
    is_primary_owner: false,
    is_restricted: guest,
    is_ultra_restricted: person.role === "single-channel-guest",
    is_email_confirmed: !person.botId,
    who_can_share_contact_card: "EVERYONE",
    ...(enterprise && {
      enterprise_user: {
        id: person.id,
        enterprise_id: enterprise.id,
        enterprise_name: enterprise.name,
        is_admin: false,
        is_owner: false,
        is_primary_owner: false,
        teams: [person.teamId],
      },
    }),
  };
}

/** conversations.info's channel, as the bot of this workspace sees it. */
export function channelJson(workspace: Workspace, channel: Channel): Json {
  if (channel.kind === "direct") {
    const other = [...channel.members].find((id) => id !== workspace.bot.id);
    return {
      id: channel.id,
      created: channel.created,
      is_archived: false,
      is_im: true,
      is_org_shared: false,
      context_team_id: workspace.teamId,
      updated: channel.created * 1000,
      user: other,
      is_user_deleted: false,
      last_read: "0000000000.000000",
      is_open: true,
      priority: 0,
    };
  }
  const connected = channel.teamIds.filter((id) => id !== channel.hostTeamId);
  return {
    id: channel.id,
    name: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === "private",
    created: channel.created,
    is_archived: channel.archived,
    is_general: channel.name === "general",
    unlinked: 0,
    name_normalized: channel.name,
    is_shared: channel.connect === "shared" || channel.connect === "organisation",
    is_org_shared: channel.connect === "organisation",
    is_pending_ext_shared: channel.connect === "pending",
    pending_shared: channel.connect === "pending" ? ["T0PENDING01"] : [],
    context_team_id: workspace.teamId,
    updated: channel.created * 1000,
    creator: channel.creator,
    is_ext_shared: channel.connect === "shared",
    shared_team_ids: [...channel.teamIds],
    pending_connected_team_ids: [],
    ...(channel.connect === "shared" && {
      conversation_host_id: channel.hostTeamId,
      internal_team_ids: [],
      connected_team_ids: connected.length > 0 ? connected : ["T0OUTSIDE01"],
    }),
    is_member: channel.members.has(workspace.bot.id),
    last_read: "0000000000.000000",
    topic: { value: channel.topic, creator: channel.creator, last_set: channel.created },
    purpose: { value: "", creator: "", last_set: 0 },
    previous_names: [],
  };
}
