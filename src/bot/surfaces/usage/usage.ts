import type { ModalView } from "@slack/types";
import { z } from "zod";
import { mayAudit } from "../../../permissions/app-roles.ts";
import { mayNotChange } from "../../../permissions/toggles.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { type Click, clickKey } from "../click.ts";
import type { Clicked } from "../desk.ts";
import { sayingModal } from "../parts.ts";
import { readTokens } from "./token-count.ts";
import { budgetBlockId, budgetFields, type UsageState, usageModal } from "./usage-modal.ts";

/** Channels and people that are named as those that use most. */
const mostNamed = 5;

const metadata = z.object({ person: z.string().min(1).max(100), sent: z.int().min(0).max(10_000), language: z.string().max(10) });

/** Opens what was used this month. */
export const openUsage = (clicked: Clicked): Promise<ModalView> =>
  render({ person: clicked.person.id, sent: 0, language: clicked.words.language }, clicked);

/** Of a form with something in it that is no budget: a sentence by block. */
export function mistakesInBudgets(click: Click, { usage: said }: Catalogue): Readonly<Record<string, string>> {
  const wrong = budgetFields.filter((field) => readTokens(click.entered.get(field) ?? "") === "wrong");
  return Object.fromEntries(wrong.map((field) => [budgetBlockId(field, readState(click)?.sent ?? 0), said.notANumber]));
}

/** Stores the budgets of a form, and shows how things stand then. */
export async function setBudgets(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, words } = clicked;
  const state = readState(click);
  const refused = mayNotChange("budget", person) !== undefined || state?.person !== person.id;
  const outcomes: string[] = [];
  for (const field of budgetFields) {
    const tokens = readTokens(click.entered.get(field) ?? "");
    const attempt = { actor: person.id, action: "budget-set", subject: `${field} ${tokens ?? "unlimited"}` } as const;
    const once = { key: clickKey(click, field), attempts: [attempt] };
    if (refused || tokens === "wrong") await desk.commands.take(once);
    else outcomes.push(await desk.usage.setBudget(once, field, tokens));
  }
  if (refused || !state) return sayingModal(words.usage.title, words.surface.refused, words);
  const notice = outcomes.includes("changed") ? words.usage.saved : words.usage.unchanged;
  return render({ ...state, sent: state.sent + 1 }, clicked, notice);
}

async function render(state: UsageState, { person, desk, words }: Clicked, notice?: string): Promise<ModalView> {
  const [own, budgets, everybody] = await Promise.all([
    desk.usage.ofPerson(person.id),
    desk.usage.budgetsNow(),
    mayAudit(person) ? desk.usage.ofWorkspace(mostNamed) : undefined,
  ]);
  return usageModal(
    state,
    { own, budgets, sets: mayNotChange("budget", person) === undefined, ...(everybody && { everybody }) },
    words,
    notice,
  );
}

function readState({ view }: Pick<Click, "view">): UsageState | undefined {
  try {
    return metadata.safeParse(JSON.parse(view?.metadata ?? "")).data;
  } catch {
    return undefined;
  }
}
