import { ApiError } from "../api-error.ts";
import type { Channel } from "../state.ts";
import { type BotMethod, type Call, channelOf } from "./call.ts";

/** assistant.threads.*: what a thread shows beside its messages. */
export const assistantMethods: Readonly<Record<string, BotMethod>> = {
  "assistant.threads.setStatus": {
    tier: "status",
    scope: "assistant:write",
    required: ["channel_id", "thread_ts"],
    run: (call) => {
      const channel = threadChannel(call);
      if (!call.args.sent("status")) throw new ApiError("invalid_arguments");
      const [threadTs, status] = [call.args.need("thread_ts"), call.args.need("status")];
      if (status) channel.statuses.set(threadTs, status);
      else channel.statuses.delete(threadTs);
      const loadingMessages = call.args.strings("loading_messages");
      call.state.announce({ type: "status", workspace: call.workspace, channel, threadTs, status, loadingMessages });
      return {};
    },
  },
  "assistant.threads.setTitle": {
    tier: 4,
    scope: "assistant:write",
    required: ["channel_id", "thread_ts", "title"],
    run: (call) => {
      const channel = threadChannel(call);
      const [threadTs, title] = [call.args.need("thread_ts"), call.args.need("title")];
      if (!channel.messages.some(({ ts }) => ts === threadTs)) throw new ApiError("invalid_thread_ts");
      channel.titles.set(threadTs, title);
      seen(call, channel);
      return {};
    },
  },
  "assistant.threads.setSuggestedPrompts": {
    tier: 4,
    scope: "assistant:write",
    required: ["channel_id", "prompts"],
    run: (call) => {
      const channel = threadChannel(call);
      const prompts = call.args.list("prompts", "invalid_arguments") ?? [];
      if (prompts.length > 4) throw new ApiError("too_many_prompts");
      if (prompts.some((prompt) => typeof prompt.title !== "string" || typeof prompt.message !== "string"))
        throw new ApiError("invalid_arguments");
      // With a thread the call of an app that has the agent view does nothing, and says so to nobody.
      if (call.args.sent("thread_ts")) return {};
      const title = call.args.sent("title") ? call.args.need("title") : "";
      channel.prompts = { title, prompts: prompts as { title: string; message: string }[] };
      seen(call, channel);
      return {};
    },
  },
};

/** Whoever has the direct message before them sees it change. */
function seen(call: Call, channel: Channel): void {
  const { state, workspace } = call;
  for (const userId of channel.members) state.announce({ type: "view", workspace, userId });
}

function threadChannel(call: Call) {
  const channel = channelOf(call, "channel_id");
  if (!channel.members.has(call.workspace.bot.id)) throw new ApiError("not_in_channel");
  return channel;
}
