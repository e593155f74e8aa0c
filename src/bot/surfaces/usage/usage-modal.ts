import type { InputBlock, KnownBlock, ModalView } from "@slack/types";
import type { MonthBudgets } from "../../../agent/spending.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context, section } from "../blocks.ts";
import { modal, plain } from "../parts.ts";
import { written } from "./token-count.ts";
import type { MonthUsage, TenantUsage } from "./usage-store.ts";

/** What the modal carries: whose it is, and how many forms were sent, since Slack keeps what was typed in a block of the same id. */
export interface UsageState {
  readonly person: string;
  readonly sent: number;
  /** In which it is written, so that its mistakes are told in the same. */
  readonly language: string;
}

export interface UsageFacts {
  readonly own: MonthUsage;
  readonly budgets: MonthBudgets;
  /** Present for those who may look at the workspace's. */
  readonly everybody?: Awaited<ReturnType<TenantUsage["ofWorkspace"]>>;
  /** Whether the person sets budgets. */
  readonly sets: boolean;
}

/** The fields of the form. */
export const budgetFields = ["workspace", "person"] as const;
export const budgetBlockId = (field: (typeof budgetFields)[number], sent: number): string => `budget ${field} ${sent}`;

/** What somebody has used this month, for admins what everybody has, with the form for budgets. @param notice what has just happened */
export function usageModal(state: UsageState, { own, budgets, everybody, sets }: UsageFacts, words: Catalogue, notice?: string): ModalView {
  const said = words.usage;
  const blocks: KnownBlock[] = [
    ...(notice ? [section(notice), { type: "divider" } as const] : []),
    section(`*${said.yours}*\n${usageLine(own, budgets.person, words)}`),
    ...(everybody ? everybodyBlocks(everybody, budgets, words) : []),
    context(said.intro),
    ...(sets ? formBlocks(state, budgets, words) : []),
  ];
  const form = { action: "budget_set", submit: said.save, cancel: words.surface.close };
  return modal({ title: said.title, blocks, metadata: JSON.stringify(state), ...(sets && { form }) }, words);
}

/** How much was used, and of how much. */
export function usageLine({ answers, tokens }: MonthUsage, most: number | undefined, { usage: said, language }: Catalogue): string {
  const number = (count: number) => written(count, language);
  if (most === undefined) return said.line(number(answers), number(tokens));
  return said.lineOf(number(answers), number(tokens), number(most), Math.floor((tokens / most) * 100));
}

function everybodyBlocks({ total, channels, people }: NonNullable<UsageFacts["everybody"]>, budgets: MonthBudgets, words: Catalogue) {
  const said = words.usage;
  const line = (who: string, { answers, tokens }: MonthUsage) =>
    `• ${said.topLine(who, written(answers, words.language), written(tokens, words.language))}`;
  // Whose direct message it is says who asked; the people are listed beside it anyway.
  const place = (channel: string) => (channel.startsWith("D") ? said.direct : `<#${channel}>`);
  return [
    { type: "divider" } as const,
    section(`*${said.everybodys}*\n${usageLine(total, budgets.workspace, words)}`),
    ...(channels.length > 0 ? [section(`*${said.topChannels}*\n${channels.map((one) => line(place(one.channel), one)).join("\n")}`)] : []),
    ...(people.length > 0 ? [section(`*${said.topPeople}*\n${people.map((one) => line(`<@${one.person}>`, one)).join("\n")}`)] : []),
  ];
}

function formBlocks({ sent }: UsageState, budgets: MonthBudgets, words: Catalogue): KnownBlock[] {
  const said = words.usage;
  return [
    { type: "divider" },
    section(`*${said.budgets}*\n${said.budgetsIntro}`),
    ...budgetFields.map((field): InputBlock => {
      const now = budgets[field];
      return {
        ...{ type: "input", block_id: budgetBlockId(field, sent), label: plain(said[field]), optional: true, hint: plain(said.hint) },
        element: {
          ...{ type: "plain_text_input", action_id: field, max_length: 30 },
          ...(now !== undefined && { initial_value: written(now, words.language) }),
        },
      };
    }),
  ];
}
