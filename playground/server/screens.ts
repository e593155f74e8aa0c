import { randomBytes } from "node:crypto";
import type { Attempt, EnvelopeKind } from "./delivery.ts";
import { chosen, findElement } from "./elements.ts";
import { type Interactions, viewJson } from "./interactions.ts";
import { checkView } from "./limits.ts";
import type { People } from "./people.ts";
import type { Channel, Json, Person, State, View, Workspace } from "./state.ts";

/** Whose screen, and which of the two things on it. */
export interface OnScreen {
  readonly workspace: string;
  readonly as: string;
  /** The modal on top unless said otherwise. */
  readonly surface?: "modal" | "home";
}

/** What was entered so far, as Slack's view.state.values: by block id, then by action id. */
type Entered = Json;

type Send = (kind: EnvelopeKind, payload: Json) => Promise<Attempt>;

/** What people do in modals and in an app's home. Throws an Error when they could not. */
export class Screens {
  readonly #state: State;
  readonly #people: People;
  readonly #interactions: Interactions;
  readonly #send: Send;
  /** Options that the app has suggested, by view and element: one of them may be chosen. */
  readonly #suggested = new Map<string, readonly Json[]>();

  constructor(state: State, people: People, interactions: Interactions, send: Send) {
    this.#state = state;
    this.#people = people;
    this.#interactions = interactions;
    this.#send = send;
  }

  /** The modals on somebody's screen, the one on top last. */
  modals({ workspace: name, as }: OnScreen): readonly View[] {
    const { workspace, person } = this.#who(name, as);
    return stackOf(workspace, person);
  }

  /** Somebody's App Home as the app has published it. */
  home({ workspace: name, as }: OnScreen): View | undefined {
    const { workspace, person } = this.#who(name, as);
    return workspace.homes.get(person.id);
  }

  /** What Slack shows around somebody's direct message with the app. */
  agentView({ workspace: name, as }: OnScreen): Pick<Channel, "titles" | "prompts"> {
    const { workspace, person } = this.#who(name, as);
    return this.#people.channel(workspace, "direct", person);
  }

  /** Opens the app's home, or its messages; those perhaps beside a channel, which the app is told. */
  openHome({
    workspace: name,
    as,
    tab = "home",
    beside,
  }: OnScreen & { readonly tab?: "home" | "messages"; readonly beside?: string }): void {
    const { workspace, person } = this.#who(name, as);
    const channel = this.#people.channel(workspace, "direct", person);
    const home = workspace.homes.get(person.id);
    const event = {
      type: "app_home_opened",
      user: person.id,
      channel: channel.id,
      tab,
      ...(home && tab === "home" && { view: viewJson(workspace, home) }),
      ...(beside !== undefined && {
        context: { entities: [{ type: "slack#/types/channel_id", value: this.#people.channel(workspace, beside, person).id }] },
      }),
      event_ts: this.#state.nextTs(),
    };
    this.#state.announce({ type: "event", workspace, event });
  }

  /** Uses a button or a menu. Resolves with the app's acknowledgement. */
  async click(
    at: OnScreen & { readonly actionId: string; readonly blockId?: string; readonly value?: string; readonly entered?: Entered },
  ): Promise<Attempt> {
    const { workspace, person, view } = this.#view(at);
    const used = findElement(view.body.blocks as readonly Json[], at.actionId, at.blockId);
    if (!used) throw new Error(`The view has no element ${at.actionId}.`);
    const element = chosen(used.element, at.value, this.#suggested.get(`${view.id} ${at.actionId}`));
    return this.#send("interactive", this.#interactions.viewActions(workspace, person, view, element, used.blockId, at.entered ?? {}));
  }

  /** Types into a menu whose options the app suggests. Resolves with them. */
  async suggest(at: OnScreen & { readonly actionId: string; readonly blockId?: string; readonly typed: string }): Promise<readonly Json[]> {
    const { workspace, person, view } = this.#view(at);
    const used = findElement(view.body.blocks as readonly Json[], at.actionId, at.blockId);
    if (used?.element.type !== "external_select") throw new Error(`The view has no menu ${at.actionId} with suggestions.`);
    const payload = this.#interactions.suggestion(workspace, person, view, {
      actionId: at.actionId,
      blockId: used.blockId,
      typed: at.typed,
    });
    const attempt = await this.#send("interactive", payload);
    const options = ((attempt.body?.options as Json[] | undefined) ?? []).slice(0, 100);
    this.#suggested.set(`${view.id} ${at.actionId}`, options);
    return options;
  }

  /**
   * Sends the modal that lies on top of this person's others. On acknowledgement it closes, or does what the app's
   * response_action says; `errors` keep it open and are in the attempt's body.
   */
  async submit(form: { readonly workspace: string; readonly as: string; readonly values: Entered }): Promise<Attempt> {
    const { workspace, person, view } = this.#view(form);
    const attempt = await this.#send("interactive", this.#interactions.viewSubmission(workspace, person, view, form.values));
    if (attempt.outcome !== "acknowledged") return attempt;
    const { response_action: action, view: next } = attempt.body ?? {};
    if (action === "update") Object.assign(view, { body: checkView(next as Json, "modal"), hash: randomBytes(8).toString("hex") });
    else if (action === "push") this.#push(workspace, view, checkView(next as Json, "modal"));
    else if (action === "clear") this.#remove(workspace, (other) => other.rootId === view.rootId);
    else if (action !== "errors") this.#remove(workspace, (other) => other.id === view.id);
    this.#state.announce({ type: "view", workspace, userId: person.id });
    return attempt;
  }

  /** Closes the modal on top, or all of them. */
  close(at: OnScreen & { readonly all?: boolean }): void {
    const { workspace, person, view } = this.#view(at);
    this.#remove(workspace, (other) => other.id === view.id || (at.all === true && other.userId === person.id));
    this.#state.announce({ type: "view", workspace, userId: person.id });
  }

  #push(workspace: Workspace, below: View, body: Json): void {
    const id = `V${randomBytes(5).toString("hex").toUpperCase()}`;
    const { userId, rootId } = below;
    workspace.views.set(id, { id, userId, rootId, previousId: below.id, hash: randomBytes(8).toString("hex"), body });
  }

  #remove(workspace: Workspace, which: (view: View) => boolean): void {
    for (const view of [...workspace.views.values()]) if (which(view)) workspace.views.delete(view.id);
  }

  #view({ workspace: name, as, surface = "modal" }: OnScreen): { workspace: Workspace; person: Person; view: View } {
    const { workspace, person } = this.#who(name, as);
    const view = surface === "home" ? workspace.homes.get(person.id) : stackOf(workspace, person).at(-1);
    if (!view) throw new Error(`${as} has no ${surface} open.`);
    return { workspace, person, view };
  }

  #who(name: string, as: string): { workspace: Workspace; person: Person } {
    const workspace = this.#people.workspace(name);
    return { workspace, person: this.#people.person(workspace, as) };
  }
}

/** Somebody's modals in the order in which they lie on each other. */
export const stackOf = (workspace: Workspace, { id }: Pick<Person, "id">): readonly View[] =>
  [...workspace.views.values()].filter((view) => view.userId === id);
