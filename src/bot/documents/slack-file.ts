import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import type { ChannelId, PersonId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import { type SlackReader, slackErrorCode } from "../workspace/slack-reader.ts";

/** A file as Slack describes it. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** Slack's kind, such as "pdf" or "png". */
  readonly kind: string;
  readonly owner: string;
  /** Where it was shared, as far as the bot can see. */
  readonly channels: readonly string[];
  /** Absent for files that are kept elsewhere: Slack has no bytes of them. */
  readonly url?: string;
}

const info = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nonnegative().default(0),
  filetype: z.string().default(""),
  user: z.string().default(""),
  channels: z.array(z.string()).default([]),
  groups: z.array(z.string()).default([]),
  ims: z.array(z.string()).default([]),
  is_external: z.boolean().optional(),
  url_private_download: z.string().optional(),
  url_private: z.string().optional(),
});

/** Where Slack keeps files; the token goes to no other host. */
const fileHosts = new Set(["https://files.slack.com", "https://slack-files.com"]);
/** How long a download may take, in milliseconds. */
const timeoutMs = 60_000;

/** One workspace's files. The token opens every file that the bot may see, so rights are looked at before anything is fetched. */
export class SlackFiles {
  readonly #slack: SlackReader;
  readonly #token: Secret;
  readonly #own: string | undefined;

  /** @param apiUrl where the Web API is, when that is not Slack itself: files come from the same place then */
  constructor(slack: SlackReader, token: Secret, apiUrl: string | undefined) {
    this.#slack = slack;
    this.#token = token;
    this.#own = apiUrl === undefined ? undefined : new URL(apiUrl).origin;
  }

  /**
   * A file that the person may give away where they do: their own, or one that was shared in that place. Undefined equally for one that
   * does not exist. Rejects when Slack cannot tell.
   */
  async find(id: string, by: PersonId, where: ChannelId): Promise<SlackFile | undefined> {
    const answer = await this.#slack.call("files.info", { file: id }).catch((error: unknown) => {
      if (["file_not_found", "file_deleted", "no_permission", "not_visible"].includes(slackErrorCode(error) ?? "")) return {};
      throw error;
    });
    const { data } = info.safeParse((answer as { file?: unknown }).file);
    if (!data) return undefined;
    const channels = [...data.channels, ...data.groups, ...data.ims];
    if (data.user !== by && !channels.includes(where)) return undefined;
    const url = data.is_external ? undefined : (data.url_private_download ?? data.url_private);
    return {
      ...{ id: data.id, name: data.name ?? "file", bytes: data.size, kind: data.filetype, owner: data.user, channels },
      ...(url !== undefined && { url }),
    };
  }

  /** @throws AppError DOCUMENT_UNREADABLE when Slack does not give the file, or more than it said */
  async download({ url, bytes }: SlackFile, most: number, signal: AbortSignal): Promise<Uint8Array> {
    if (url === undefined || !this.#isSlacks(url)) throw new AppError("DOCUMENT_UNREADABLE", "Slack does not keep this file itself.");
    if (bytes > most) throw new AppError("DOCUMENT_UNREADABLE", "It is too large.");
    try {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${this.#token.reveal()}` },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      // Without the right to files Slack answers with a page to sign in at.
      const page = response.headers.get("content-type")?.startsWith("text/html") === true && !/\.html?$/i.test(new URL(url).pathname);
      if (!response.ok || page || !response.body) throw new AppError("DOCUMENT_UNREADABLE", "Slack did not give the file.");
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        size += piece.length;
        if (size > most) throw new AppError("DOCUMENT_UNREADABLE", "It is too large.");
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof AppError ? error : new AppError("DOCUMENT_UNREADABLE", "Slack did not give the file.", { cause: error });
    }
  }

  #isSlacks(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return this.#own === undefined ? fileHosts.has(url.origin) : url.origin === this.#own;
  }
}
