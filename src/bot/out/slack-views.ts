import type { HomeView, ModalView } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import type { PersonId } from "../../core/ids.ts";
import { slackFailure } from "./slack-failure.ts";

/** A modal on somebody's screen. */
export interface OpenView {
  readonly id: string;
  /** Of the state it was in: an update that names it fails when the view has changed since. */
  readonly hash: string;
}

/**
 * Opens and changes one workspace's modals and App Homes. Throws SlackFailure. Nothing is tried again: a trigger is good for three
 * seconds and one view, and whoever waits for a modal can click once more.
 */
export class SlackViews {
  readonly #client: WebClient;

  constructor(client: WebClient) {
    this.#client = client;
  }

  async open(trigger: string, view: ModalView): Promise<OpenView> {
    return opened(await this.#client.views.open({ trigger_id: trigger, view }).catch(rethrow));
  }

  /** Puts a modal on top of the one that was clicked in; three may lie on each other. */
  async push(trigger: string, view: ModalView): Promise<OpenView> {
    return opened(await this.#client.views.push({ trigger_id: trigger, view }).catch(rethrow));
  }

  /** @param hash leave it out to replace whatever is there */
  async update(id: string, view: ModalView, hash?: string): Promise<OpenView> {
    return opened(await this.#client.views.update({ view_id: id, view, ...(hash !== undefined && { hash }) }).catch(rethrow));
  }

  /** Shows somebody their App Home. */
  async publish(person: PersonId, view: HomeView): Promise<void> {
    await this.#client.views.publish({ user_id: person, view }).catch(rethrow);
  }
}

const opened = ({ view }: { readonly view?: { readonly id?: string; readonly hash?: string } }): OpenView => ({
  id: view?.id ?? "",
  hash: view?.hash ?? "",
});

const rethrow = (thrown: unknown): never => {
  throw slackFailure(thrown);
};
