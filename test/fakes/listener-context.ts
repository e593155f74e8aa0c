import type { ReplyRule } from "../../src/agent/templates/template.ts";
import type { Command } from "../../src/bot/commands/command.ts";
import type { Given } from "../../src/bot/commands/given.ts";
import type { ListenerContext } from "../../src/bot/in/listeners/listener.ts";
import type { Click } from "../../src/bot/views/click.ts";

/** What listeners hand on, noted and not carried out; every channel has the same reply rule. */
export class NotingContext implements ListenerContext {
  readonly commands = {
    fromMessage: async (given: Given, command: Command, addressed: boolean) => void this.given.push({ ...given, command, addressed }),
    fromSlash: (given: Given, command: Command) => void this.given.push({ ...given, command, addressed: true }),
  };
  readonly given: (Given & { readonly command: Command; readonly addressed: boolean })[] = [];
  readonly clicks: Click[] = [];
  readonly surface = { clicked: (click: Click) => void this.clicks.push(click) };
  rule: ReplyRule = "thread";

  replyRule = async () => this.rule;
}
