import { codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import { takesPart } from "../../permissions/roles.ts";
import { chooseAudience } from "../audience/audience-command.ts";
import { docs } from "../documents/docs-command.ts";
import type { MessageBody } from "../out/slack-writer.ts";
import { actingPerson } from "../surfaces/roles/grant-role.ts";
import { withExternal } from "../surfaces/tools/with-external.ts";
import { english, wordsFor } from "../words/catalogue.ts";
import { ask } from "./ask-command.ts";
import type { Command } from "./command.ts";
import { decideExternal } from "./external-commands.ts";
import type { CommandParts, Given, Reply, TenantDesk } from "./given.ts";
import { messagesOf } from "./reply.ts";
import { decideRole } from "./role-commands.ts";
import { listTemplates, useTemplate } from "./template-commands.ts";
import { listTools, switchTools } from "./tools-commands.ts";

/** Slack takes this many answers at one response address. */
const mostResponses = 5;

/**
 * Carries commands out, each once however often Slack delivers it, for whoever Slack says at this moment has given it. No command
 * reaches the model or the memory of a thread.
 */
export class Commands {
  readonly #parts: CommandParts;
  readonly #running = new Map<string, Promise<void>>();
  readonly #open = new Set<Promise<unknown>>();

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  /**
   * Carries out a command that came as a message. Resolves when its change is stored; the answer follows. Rejects when it could not be
   * stored: then Slack must deliver it again.
   * @param addressed whether the bot itself is spoken to; elsewhere it must take part in the thread
   */
  fromMessage(given: Given, command: Command, addressed: boolean): Promise<void> {
    return this.#once(given, async () => {
      const desk = await this.#parts.desk(given.tenant);
      if (!addressed && given.thread && !(await desk.commands.takesPart(given.channel, given.thread))) return;
      this.#answer(given, await this.#carryOut(given, command, desk), desk);
    });
  }

  /** Begins a slash command and returns at once: Slack shows its author a failure unless it is acknowledged within three seconds. */
  fromSlash(given: Given, command: Command): void {
    const work = this.#once(given, async () => {
      const desk = await this.#parts.desk(given.tenant);
      this.#answer(given, await this.#carryOut(given, command, desk), desk);
    });
    const told = work.catch(async (thrown: unknown) => {
      this.#report(given.tenant, thrown);
      for (const body of messagesOf([english.commands.failed])) await this.#parts.respond(given.responseUrl ?? "", body);
    });
    this.#keep(told);
  }

  /** Resolves when everything that was begun is done and answered. */
  async drained(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  /** Two deliveries at the same moment share the work; the database refuses later ones. */
  #once(given: Given, work: () => Promise<void>): Promise<void> {
    const key = `${given.tenant} ${given.key}`;
    const running = this.#running.get(key);
    if (running) return running;
    const begun = work().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }

  async #carryOut(given: Given, command: Command, desk: TenantDesk): Promise<Reply> {
    const person = await actingPerson(desk, given.person, this.#parts.clock);
    const notice = async (line: string) => ((await desk.commands.take({ key: given.key, attempts: [] })) ? messagesOf([line]) : undefined);
    if (!person) return notice(english.commands.unknownPerson);
    if (person.isBot || person.deactivated) return undefined;
    // A change that is refused is noted in the audit log, by the command itself.
    const changes =
      command.kind === "tools-switch" ||
      command.kind === "template-use" ||
      command.kind === "external" ||
      command.kind === "audience" ||
      command.kind === "docs" ||
      command.kind === "role";
    const words = wordsFor(person.locale);
    if (!takesPart(person) && !changes) return notice(words.commands.outsider);
    const work = await withExternal({ given, person, desk, parts: this.#parts, words });
    switch (command.kind) {
      case "help":
        return (await desk.commands.take({ key: given.key, attempts: [] })) ? messagesOf(words.commands.help) : undefined;
      case "tools-list":
        return listTools(work);
      case "tools-switch":
        return switchTools(work, command);
      case "template-list":
        return listTemplates(work);
      case "template-use":
        return useTemplate(work, command.name);
      case "audience":
        return chooseAudience(work, command);
      case "docs":
        return docs(work, command);
      case "role":
        return decideRole(work, command);
      case "role-usage":
        return notice(words.roles.usage);
      case "external":
        return decideExternal(work, command);
      case "ask":
        return ask(work, command.question);
      default:
        return command satisfies never;
    }
  }

  /** Nobody else needs to see it: under the slash command, as a note for one person, or in their direct message. */
  #answer(given: Given, reply: Reply, desk: TenantDesk): void {
    if (reply) this.#keep(this.#send(given, reply, desk).catch((thrown: unknown) => this.#report(given.tenant, thrown)));
  }

  async #send(given: Given, reply: readonly MessageBody[], { writer }: TenantDesk): Promise<void> {
    const { channel, person, thread, message, direct, responseUrl } = given;
    for (const [at, body] of reply.entries()) {
      if (responseUrl !== undefined && at < mostResponses && (await this.#parts.respond(responseUrl, body))) continue;
      if (direct) await writer.post(channel, thread ?? message, () => body);
      else await writer.postEphemeral(channel, person, body, thread);
    }
  }

  #keep(work: Promise<unknown>): void {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  #report(tenant: TenantId, thrown: unknown): void {
    this.#parts.log.error("A command failed.", { tenant, code: codeOf(thrown) });
  }
}
