import { checkBotToken, type SlackChecks } from "../bot/workspace/check-slack.ts";
import { type Check, checked, ok } from "../core/check.ts";
import type { Store } from "../store/store.ts";

/** Every workspace that is kept in the store: whether its token can be opened, and whether Slack still accepts it. */
export async function checkStored(store: Store, slack: SlackChecks): Promise<readonly Check[]> {
  const tenants = await store.tenants.list();
  const groups = await Promise.all(
    tenants.map(({ id, name, status }) =>
      checked(`Slack ${name}`, async () => {
        if (status === "suspended") return [ok(`Slack ${name}`, "Suspended: its questions are not answered.")];
        const found = await store.forTenant(id).installation.find();
        return found ? checkBotToken(found.token, name, slack) : [ok(`Slack ${name}`, "Not installed any more.")];
      }),
    ),
  );
  return groups.flat();
}
