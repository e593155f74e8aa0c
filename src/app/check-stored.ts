import { checkBotToken, type SlackChecks } from "../bot/workspace/check-slack.ts";
import type { Tenant } from "../bot/workspace/tenants.ts";
import { type Check, checked, failed, ok } from "../core/check.ts";
import type { Store } from "../store/store.ts";

/** What to look with, and whether tokens that expire are renewed. */
type StoredChecks = SlackChecks & { readonly renews: boolean };

/** Every workspace and organisation that is kept in the store: whether its token can be opened, and whether Slack still accepts it. */
export async function checkStored(store: Store, slack: StoredChecks): Promise<readonly Check[]> {
  const tenants = await store.tenants.list();
  const groups = await Promise.all(tenants.map((tenant) => checked(`Slack ${tenant.name}`, () => checkTenant(store, tenant, slack))));
  return groups.flat();
}

async function checkTenant(store: Store, tenant: Tenant, slack: StoredChecks): Promise<readonly Check[]> {
  const { id, name, status, suspendedBecause, organisation } = tenant;
  const title = `Slack ${name}`;
  if (status === "suspended" && suspendedBecause) return [failed(title, suspendedBecause, "Install the app there again.")];
  if (status === "suspended") return [ok(title, "Suspended: its questions are not answered.")];
  const found = await store.forTenant(id).installation.find();
  if (!found && organisation) return [ok(title, "It uses its organisation's installation.")];
  if (!found) return [ok(title, "Not installed any more.")];
  const expired = found.rotation && found.rotation.expiresAt <= slack.clock.now();
  if (!expired) return checkBotToken(found.token, name, slack);
  // Renewing it is not the doctor's: a refresh token works once.
  if (slack.renews) return [ok(title, "Its token has expired while nobody asked; it is renewed with the next question.")];
  return [
    failed(
      title,
      "Its token has expired, and nothing renews it.",
      "Set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, with which it was installed.",
    ),
  ];
}
