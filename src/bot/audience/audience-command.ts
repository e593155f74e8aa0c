import { mayNotChange } from "../../permissions/toggles.ts";
import type { AudienceCommand } from "../commands/command.ts";
import type { Attempt } from "../commands/command-store.ts";
import type { Reply, Work } from "../commands/given.ts";
import { messagesOf } from "../commands/reply.ts";

/**
 * `/footnote audience`: with whose rights this channel is answered, and for admins another choice. The asker's rights are the one way in
 * which people read what they may not look up themselves, so nobody but an admin sets them, and every answer says so.
 */
export async function chooseAudience({ given, person, desk, words }: Work, { rights }: AudienceCommand): Promise<Reply> {
  const said = words.audience;
  const attempts: readonly Attempt[] = rights
    ? [{ actor: given.person, action: "audience-set", subject: rights, channel: given.channel }]
    : [];
  const once = { key: given.key, attempts };
  const tell = async (line: string): Promise<Reply> => ((await desk.commands.take(once)) ? messagesOf([line]) : undefined);
  if (given.direct) return tell(said.direct);
  if (!rights)
    return tell(
      `${said.rights[await desk.audiences.inChannel(given.channel)]} ${mayNotChange("audience", person) ? "" : said.usage}`.trim(),
    );
  if (mayNotChange("audience", person)) return tell(words.commands.refusal("audience", person));
  const set = await desk.audiences.set(once, given.channel, rights);
  return set === "seen" ? undefined : messagesOf([said.rights[rights]]);
}
