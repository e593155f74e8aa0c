import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json, Message } from "../../playground/server/state.ts";
import { systemClock } from "../../src/core/clock.ts";
import { shown } from "./answer.ts";

/** Where somebody acts in the journey's workspace. */
export interface Where {
  readonly as: string;
  /** A channel's name, or "direct". */
  readonly channel: string;
}

/** One person's screen and hands: acts as people do, and waits for what they would wait for. */
export class Hands {
  readonly #slack: FakeSlack;
  readonly #workspace: string;

  constructor(slack: FakeSlack, workspace: string) {
    this.#slack = slack;
    this.#workspace = workspace;
  }

  /** The limit only ends what hangs. */
  #wait<T>(find: () => T): Promise<NonNullable<T>> {
    return this.#slack.waitFor(find, { timeoutMs: 150_000 });
  }

  post(
    { as, channel }: Where,
    text: string,
    thread?: string,
    files?: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  ): string {
    return this.#slack.post({ workspace: this.#workspace, as, channel, text, ...(thread && { thread }), ...(files && { files }) });
  }

  /** The bot's messages there that this person sees, oldest first. */
  said({ as, channel }: Where, thread?: string): readonly Message[] {
    const person = this.#slack.workspace(this.#workspace).person(as);
    const where = channel === "direct" ? `direct:${as}` : channel;
    return this.#slack
      .messages({ workspace: this.#workspace, channel: where, ...(thread && { thread }) })
      .filter(({ botId, ephemeralTo }) => botId && (!ephemeralTo || ephemeralTo === person));
  }

  /** The newest of them whose words or elements fit, as soon as there is one. */
  sees(where: Where, words: RegExp, thread?: string): Promise<Message> {
    return this.#wait(() =>
      this.said(where, thread).findLast((message) => words.test(`${shown(message)}\n${JSON.stringify(message.blocks)}`)),
    );
  }

  /** Asks there, and resolves with the thread and the finished answer. */
  async ask(where: Where, text: string, thread?: string): Promise<{ readonly thread: string; readonly answer: Message }> {
    const before = thread ? this.said(where, thread).filter(isFinished).length : 0;
    const ts = this.post(where, text, thread);
    const root = thread ?? ts;
    const answer = await this.#wait(() => this.said(where, root).filter(isFinished)[before]);
    return { thread: root, answer };
  }

  async click({ as, channel }: Where, { ts }: Pick<Message, "ts">, actionId: string, value?: string): Promise<void> {
    await this.#slack.click({ workspace: this.#workspace, as, channel, ts, actionId, ...(value !== undefined && { value }) });
  }

  /** Presses a button below an answer until something comes of it: what Slack shows is there a moment before it is stored. */
  async insist(where: Where, { ts }: Pick<Message, "ts">, actionId: string, done: () => boolean): Promise<void> {
    while (!done()) {
      const message = this.said(where).find((one) => one.ts === ts);
      if (message && JSON.stringify(message.blocks).includes(actionId)) await this.click(where, message, actionId);
      await systemClock.sleep(100);
    }
  }

  async slash({ as, channel }: Where, text: string): Promise<void> {
    await this.#slack.command({ workspace: this.#workspace, as, channel, command: "/footnote", text });
  }

  /** The same for one that is answered where it is given. */
  async slashAnswered(where: Where, text: string): Promise<void> {
    const before = this.said(where).length;
    await this.slash(where, text);
    await this.#wait(() => this.said(where).length > before);
  }

  async shortcut({ as, channel }: Where, ts: string, callbackId: string): Promise<void> {
    await this.#slack.people.shortcut({ workspace: this.#workspace, as, channel, ts, callbackId });
  }

  /** The modal on top of somebody's others once its words or elements fit. */
  async modal(as: string, words: RegExp): Promise<string> {
    return this.#wait(() => fitting(this.#slack.screens.modals({ workspace: this.#workspace, as }).at(-1)?.body, words));
  }

  home(as: string, words: RegExp): Promise<string> {
    return this.#wait(() => fitting(this.#slack.screens.home({ workspace: this.#workspace, as })?.body, words));
  }

  /** Uses an element of the modal on top, or of App Home, and resolves with the modal that fits then. */
  async press(as: string, actionId: string, then: RegExp, more: Pressed = {}): Promise<string> {
    const { surface, blockId, value, entered } = more;
    const optional = { ...(blockId && { blockId }), ...(value !== undefined && { value }), ...(entered && { entered }) };
    await this.#slack.screens.click({ workspace: this.#workspace, as, actionId, ...(surface && { surface }), ...optional });
    return surface === "home" && more.opens !== true ? this.home(as, then) : this.modal(as, then);
  }

  async submit(as: string, values: Json): Promise<void> {
    const { outcome } = await this.#slack.screens.submit({ workspace: this.#workspace, as, values });
    if (outcome !== "acknowledged") throw new Error(`The form is ${outcome}.`);
  }

  /** Closes all modals. */
  close(as: string): void {
    while (this.#slack.screens.modals({ workspace: this.#workspace, as }).length > 0)
      this.#slack.screens.close({ workspace: this.#workspace, as });
  }

  /** The block ids of the modal on top that fit. */
  blockIds(as: string, pattern: RegExp): readonly string[] {
    const blocks = (this.#slack.screens.modals({ workspace: this.#workspace, as }).at(-1)?.body.blocks ?? []) as readonly Json[];
    return blocks.map(({ block_id: id }) => String(id ?? "")).filter((id) => pattern.test(id));
  }
}

interface Pressed {
  readonly surface?: "home";
  /** Of an element in App Home that opens a modal. */
  readonly opens?: boolean;
  readonly blockId?: string;
  readonly value?: string;
  readonly entered?: Json;
}

/** A finished answer carries its trace's id, or the id of what went wrong. */
const isFinished = (message: Message): boolean => /^Trace|Error id|^:warning:/m.test(shown(message));

const fitting = (body: unknown, words: RegExp): string | undefined => {
  const text = JSON.stringify(body ?? "");
  return words.test(text) ? text : undefined;
};
