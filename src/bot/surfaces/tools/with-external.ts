import type { Tool } from "../../../plugins/contract.ts";
import type { TenantDesk } from "../../commands/given.ts";

/** Whatever lists or switches tools: for one tenant, with the tools that the program has. */
interface WithTools {
  readonly desk: Pick<TenantDesk, "choices" | "moreTools">;
  readonly parts: { readonly tools: readonly Tool[] };
}

/** Tools of external servers are listed and switched like all others, wherever that is: this adds them to the program's own. */
export async function withExternal<Work extends WithTools>(work: Work): Promise<Work> {
  const more = (await work.desk.moreTools?.()) ?? [];
  if (more.length === 0) return work;
  const names = more.map(({ name }) => name);
  const { choices } = work.desk;
  const read: typeof choices.read = (channel, person, thread) => choices.read(channel, person, thread, names);
  return { ...work, desk: { ...work.desk, choices: { read } }, parts: { ...work.parts, tools: [...work.parts.tools, ...more] } };
}
