import type { ModalView, Option } from "@slack/types";
import { LRUCache } from "lru-cache";
import type { Trials } from "../../agent/templates/trial.ts";
import type { Clock } from "../../core/clock.ts";
import { codeOf } from "../../core/errors.ts";
import type { ChannelId, PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { mayChooseSomewhere } from "../../permissions/app-roles.ts";
import { takesPart } from "../../permissions/roles.ts";
import type { CommandParts } from "../commands/given.ts";
import { messagesOf } from "../commands/reply.ts";
import { SlackFailure } from "../out/slack-failure.ts";
import type { MessageBody } from "../out/slack-writer.ts";
import type { Turns } from "../turns/turns.ts";
import { type Catalogue, english, wordsFor } from "../words/catalogue.ts";
import { suggestPrompts } from "./agent-view/agent-view.ts";
import { section } from "./blocks.ts";
import type { Click } from "./click.ts";
import { type Control, controls, forms, type Submitting, shortcuts } from "./controls.ts";
import type { Clicked, Rendering, SurfaceDesk } from "./desk.ts";
import { type HomeChange, home, templateOptions } from "./home/home.ts";
import { firstPages, type HomeState } from "./home/home-state.ts";
import { sayingModal } from "./parts.ts";
import { present } from "./present.ts";
import { actingPerson } from "./roles/grant-role.ts";
import { readTemplatesState } from "./templates/templates-state.ts";
import { withExternal } from "./tools/with-external.ts";

/** A Home that nobody has looked at for this long is not kept up to date: it is made anew when they come back. Milliseconds. */
const homeFreshMs = 30 * 60_000;

/** What Slack says of a modal that its reader has closed. */
const closed: ReadonlySet<string> = new Set(["not_found", "view_not_found"]);

/** Of a click in a modal only which one it is; without a hash whatever is there is replaced. */
type RedrawnClick = Pick<Click, "tenant"> & {
  readonly view?: { readonly id: string; readonly kind: string; readonly hash: string | undefined };
};

/** What Slack is answered when a form was sent, and what follows. */
export interface SubmittedForm {
  readonly answer?:
    | { readonly response_action: "errors"; readonly errors: Readonly<Record<string, string>> }
    | { readonly response_action: "update"; readonly view: ModalView };
  begin(): void;
}

export interface SurfaceParts
  extends Pick<CommandParts, "tools" | "models" | "templateChanged" | "inbox" | "documents" | "respond">,
    Pick<Trials, "tryOut">,
    Pick<Turns, "added"> {
  desk(tenant: TenantId): Promise<SurfaceDesk>;
  /** Origins inside the operator's network that a workspace's own servers may be at. */
  readonly serverOrigins?: readonly string[];
  readonly channelFiles: Clicked["parts"]["channelFiles"];
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Buttons under answers, modals and App Home. Each click is judged by what Slack says of its author at that moment; nothing that a
 * payload carries gives anybody a right.
 */
export class Surface {
  readonly #parts: SurfaceParts;
  readonly #open = new Set<Promise<unknown>>();
  /** Who has looked at their Home lately, and at what of it. */
  readonly #homes = new LRUCache<string, HomeState>({ max: 5_000, ttl: homeFreshMs });

  constructor(parts: SurfaceParts) {
    this.#parts = parts;
  }

  /** Begins and returns at once: Slack wants its acknowledgement within three seconds. */
  clicked(click: Click): void {
    const known = [controls, forms, shortcuts].find((each) => Object.hasOwn(each, click.action));
    const control = known?.[click.action];
    if (!control) return;
    this.#keep(this.#carryOut(click, control(click)), click.tenant);
  }

  /**
   * A form was sent. What is wrong in it is told at once, and it stays open; else `begin` is to be called when Slack has the answer, and
   * shows in the same modal what has become of it.
   */
  submitted(click: Click): SubmittedForm {
    const control = Object.hasOwn(forms, click.action) ? forms[click.action]?.(click) : undefined;
    if (!control || !("submits" in control)) return { begin: () => this.clicked(click) };
    const words = wordsFor(readTemplatesState(click)?.language);
    const errors = control.mistakes(click, words, this.#parts);
    if (Object.keys(errors).length > 0) return { answer: { response_action: "errors", errors }, begin: () => undefined };
    const view = sayingModal(control.title(words), words.surface.waiting, words);
    return {
      answer: { response_action: "update", view },
      begin: () => this.#keep(this.#finish(click, control), click.tenant),
    };
  }

  async #finish(click: Click, control: Submitting): Promise<void> {
    const desk = await this.#parts.desk(click.tenant);
    const who = await this.#admit(click, desk);
    const { words } = "clicked" in who ? who.clicked : who;
    const done =
      "clicked" in who
        ? control.submits(who.clicked).catch((thrown: unknown) => {
            this.#report(click.tenant, thrown);
            return sayingModal(control.title(words), words.surface.failed, words);
          })
        : sayingModal(control.title(words), who.refusal ?? words.surface.outsider, words);
    const view = await done;
    const { view: shown, ...rest } = click;
    if (shown) await this.#redraw({ ...rest, view: { ...shown, hash: undefined } }, desk, async () => view);
    if ("clicked" in who) await this.#refreshHome(who.clicked);
  }

  #keep(begun: Promise<void>, tenant: TenantId): void {
    const work = begun.catch((thrown: unknown) => this.#report(tenant, thrown));
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  /** Resolves when everything that was begun is done. */
  async drained(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  async #carryOut(click: Click, control: Control): Promise<void> {
    const desk = await this.#parts.desk(click.tenant);
    const admitted = this.#admit(click, desk);
    if ("opens" in control) {
      const words = wordsFor((await desk.directory.person(click.person))?.locale);
      const title = control.title(words);
      const content = admitted
        .then((who) =>
          "clicked" in who ? control.opens(who.clicked) : sayingModal(title, who.refusal ?? who.words.surface.outsider, who.words),
        )
        .catch((thrown: unknown) => {
          this.#report(click.tenant, thrown);
          return sayingModal(title, words.surface.failed, words);
        });
      const placeholder = sayingModal(title, control.waiting?.(words) ?? words.surface.waiting, words);
      return this.#show({ click, desk, words, how: control.how ?? "open" }, placeholder, content);
    }
    const who = await admitted;
    if ("notes" in control) {
      const sentence = "clicked" in who ? await control.notes(who.clicked) : who.refusal;
      return sentence === undefined ? undefined : this.#tell(click, desk, sentence);
    }
    if (!("clicked" in who) || "submits" in control) return;
    if ("atHome" in control) return this.#publish(who.clicked, await control.atHome(who.clicked));
    await this.#redraw(click, desk, await control.changes(who.clicked));
    await this.#refreshHome(who.clicked);
  }

  async #show(
    { click, desk, words, how }: { click: Click; desk: SurfaceDesk; words: Catalogue; how: "open" | "push" },
    placeholder: ModalView,
    content: Promise<ModalView>,
  ): Promise<void> {
    try {
      await present({ views: desk.views, clock: this.#parts.clock }, how, click.trigger, placeholder, content);
    } catch (thrown) {
      if (!(thrown instanceof SlackFailure)) throw thrown;
      // Slack has delivered the click before, and the modal is open.
      if (thrown.code === "exchanged_trigger_id" || closed.has(thrown.code)) return;
      this.#parts.log.warn("A modal could not be opened.", { tenant: click.tenant, code: thrown.code });
      await this.#tell(click, desk, words.surface.tooLate);
    }
  }

  /** Somebody looks at the Home tab: it is published as things stand now. */
  homeOpened(tenant: TenantId, person: PersonId): void {
    const click = { tenant, person, action: "", value: "", trigger: "", entered: new Map() };
    this.#keep(this.#openHome(click), tenant);
  }

  /** Somebody opens the direct message, perhaps beside a channel that they are looking at. */
  messagesOpened(tenant: TenantId, person: PersonId, viewing?: ChannelId): void {
    const click = { tenant, person, action: "", value: "", trigger: "", entered: new Map() };
    const offered = this.#parts
      .desk(tenant)
      .then((desk) => this.#admit(click, desk))
      .then((who) => ("clicked" in who ? suggestPrompts(who.clicked, viewing) : undefined));
    this.#keep(offered, tenant);
  }

  /** The options of a menu for what somebody has typed; none for who may not choose. Rejects when they cannot be known. */
  async suggest({
    tenant,
    person,
    typed,
  }: {
    readonly tenant: TenantId;
    readonly person: PersonId;
    readonly typed: string;
  }): Promise<Option[]> {
    const desk = await this.#parts.desk(tenant);
    const known = await actingPerson(desk, person, this.#parts.clock);
    if (!known || !mayChooseSomewhere(known)) return [];
    return templateOptions(typed, await desk.templates.list());
  }

  async #openHome(click: Click): Promise<void> {
    const who = await this.#admit(click, await this.#parts.desk(click.tenant));
    if ("clicked" in who) await this.#publish(who.clicked, { state: firstPages });
    else if (who.refusal !== undefined) {
      const blocks = [section(who.refusal)];
      await (await this.#parts.desk(click.tenant)).views.publish(click.person, { type: "home", blocks });
    }
  }

  async #publish(clicked: Clicked, change: HomeChange): Promise<void> {
    const { click, person, desk } = clicked;
    this.#homes.set(`${click.tenant} ${person.id}`, change.state);
    await desk.views.publish(person.id, await home(clicked, change));
  }

  /** Shows a change in the person's Home, too, if they have looked at it lately. */
  async #refreshHome(clicked: Clicked): Promise<void> {
    const state = this.#homes.get(`${clicked.click.tenant} ${clicked.person.id}`);
    if (state) await this.#publish(clicked, { state });
  }

  /** Redraws the modal that was clicked in. Has it changed since, what is true now is drawn once more. */
  async #redraw({ tenant, view }: RedrawnClick, { views }: SurfaceDesk, render: Rendering): Promise<void> {
    if (view?.kind !== "modal") return;
    try {
      await views.update(view.id, await render(), view.hash);
    } catch (thrown) {
      const code = thrown instanceof SlackFailure ? thrown.code : undefined;
      if (code === "hash_conflict") await views.update(view.id, await render());
      else if (code !== undefined && closed.has(code)) this.#parts.log.debug("A modal was closed meanwhile.", { tenant });
      else throw thrown;
    }
  }

  /** Who clicks, as Slack says now, or why they are not served. */
  async #admit(
    click: Click,
    desk: SurfaceDesk,
  ): Promise<{ readonly clicked: Clicked } | { readonly refusal: string | undefined; readonly words: Catalogue }> {
    const person = await actingPerson(desk, click.person, this.#parts.clock);
    if (!person) return { refusal: english.surface.unknownPerson, words: english };
    const words = wordsFor(person.locale);
    if (!takesPart(person)) return { refusal: words.surface.outsider, words };
    return { clicked: await withExternal({ click, person, desk, words, parts: this.#parts }) };
  }

  /** Says something to the person alone, where they clicked. */
  async #tell({ responseUrl, at, person }: Click, desk: SurfaceDesk, said: string | MessageBody): Promise<void> {
    for (const body of typeof said === "string" ? messagesOf([said]) : [said]) {
      if (responseUrl && (await this.#parts.respond(responseUrl, body))) continue;
      if (at) await desk.writer.postEphemeral(at.channel, person, body, at.thread);
    }
  }

  #report(tenant: TenantId, thrown: unknown): void {
    const code = thrown instanceof SlackFailure ? thrown.code : codeOf(thrown);
    this.#parts.log.error("A click could not be carried out.", { tenant, code });
  }
}
