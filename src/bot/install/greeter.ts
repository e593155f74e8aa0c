import { codeOf } from "../../core/errors.ts";
import { type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { TenantLibrary } from "../../knowledge/library.ts";
import { audienceOfOne } from "../../permissions/audience.ts";
import type { Directory, Person } from "../../permissions/directory.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { MessageBody, SlackWriter } from "../out/slack-writer.ts";
import { section } from "../surfaces/blocks.ts";
import { wordsFor } from "../words/catalogue.ts";
import type { StoredInstallation } from "../workspace/saved-installation.ts";
import type { Tenant } from "../workspace/tenants.ts";

export interface GreeterParts {
  readonly installationOf: (tenant: TenantId) => Pick<StoredInstallation, "claimWelcome">;
  readonly open: (tenant: TenantId) => Promise<{
    readonly bot: PersonId;
    readonly directory: Directory;
    readonly writer: Pick<SlackWriter, "post">;
    readonly library: Pick<TenantLibrary, "list">;
  }>;
  readonly log: Logger;
}

/** Writes to whoever installed the app, once for each installation: three things to try, as they fit what is there. */
export class Greeter {
  readonly #parts: GreeterParts;
  readonly #open = new Set<Promise<void>>();

  constructor(parts: GreeterParts) {
    this.#parts = parts;
  }

  /** @param served the workspaces in which it can be used now; the greeting comes from the first */
  greet([tenant]: readonly Tenant[], person: string): void {
    // An organisation that has not added the app to any workspace yet: there is nobody to write from.
    if (!tenant) return;
    const greeted = this.#greet(tenant, personId(person)).catch((thrown: unknown) => {
      this.#parts.log.warn("Whoever installed the app could not be greeted.", { tenant: tenant.id, code: codeOf(thrown) });
    });
    this.#open.add(greeted);
    void greeted.then(() => this.#open.delete(greeted));
  }

  /** Resolves when nobody is being greeted any more. */
  async drained(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #greet(tenant: Tenant, id: PersonId): Promise<void> {
    const { installationOf, open } = this.#parts;
    const { bot, directory, writer, library } = await open(tenant.id);
    const [person, channel] = await Promise.all([directory.person(id), directory.directMessage(id)]);
    if (!person) return;
    const body = await this.#body(tenant, person, bot, { directory, library });
    // Claimed last, so that what fails before is tried again with the next installation; never twice.
    if (await installationOf(tenant.organisation ?? tenant.id).claimWelcome()) await writer.post(channel, undefined, () => body);
  }

  async #body(
    tenant: Tenant,
    person: Person,
    bot: PersonId,
    { directory, library }: { readonly directory: Directory; readonly library: Pick<TenantLibrary, "list"> },
  ): Promise<MessageBody> {
    const { principals } = audienceOfOne(person, await directory.channelsOf(person.id));
    const [document] = (await library.list({ principals, limit: 1, offset: 0 })).documents;
    const { welcome: words } = wordsFor(person.locale);
    // In a code span, which a backtick would end.
    const command = `footnote ingest --workspace "${plainMrkdwn(tenant.name).replace(/[`"]/g, "")}" ./handbook`;
    const first = document ? words.askAbout(plainMrkdwn(document.title)) : words.noDocuments(command);
    const lines = [words.intro, first, words.invite(`<@${bot}>`), words.tools];
    return { text: [words.fallback, first, words.invite(`<@${bot}>`), words.tools].join("\n"), blocks: lines.map(section) };
  }
}
