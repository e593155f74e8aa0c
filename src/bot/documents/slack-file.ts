import { z } from "zod";
import { AppError, codeOf } from "../../core/errors.ts";
import type { ChannelId, PersonId, TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import { type SlackReader, slackErrorCode } from "../workspace/slack-reader.ts";
import { fileName } from "./named-file.ts";

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
const fileHosts: ReadonlySet<string> = new Set(["https://files.slack.com", "https://files.slack-gov.com"]);
/** How long a download may take, in milliseconds. */
const timeoutMs = 60_000;

/** What fetches one workspace's files. */
export interface SlackFilesParts {
  readonly tenant: TenantId;
  readonly slack: SlackReader;
  readonly token: Secret;
  readonly fetch: SafeFetch;
  /** Where the Web API is, when that is not Slack itself: files come from the same place then. */
  readonly apiUrl?: string | undefined;
}

/** One workspace's files. The token opens every file that the bot may see, so rights are looked at before anything is fetched. */
export class SlackFiles {
  readonly #parts: SlackFilesParts;
  readonly #hosts: ReadonlySet<string>;

  constructor(parts: SlackFilesParts) {
    this.#parts = parts;
    this.#hosts = parts.apiUrl === undefined ? fileHosts : new Set([new URL(parts.apiUrl).origin]);
  }

  /**
   * A file that the person may give away where they do: their own, or one that was shared in that place. Undefined equally for one that
   * does not exist. Rejects when Slack cannot tell.
   */
  async find(id: string, by: PersonId, where: ChannelId): Promise<SlackFile | undefined> {
    const answer = await this.#parts.slack.call("files.info", { file: id }).catch((error: unknown) => {
      if (["file_not_found", "file_deleted", "no_permission", "not_visible"].includes(slackErrorCode(error) ?? "")) return {};
      throw error;
    });
    const { data } = info.safeParse((answer as { file?: unknown }).file);
    if (!data) return undefined;
    const channels = [...data.channels, ...data.groups, ...data.ims];
    if (data.user !== by && !channels.includes(where)) return undefined;
    const url = data.is_external ? undefined : (data.url_private_download ?? data.url_private);
    return {
      ...{ id: data.id, name: fileName(data.name), bytes: data.size, kind: data.filetype, owner: data.user, channels },
      ...(url !== undefined && { url }),
    };
  }

  /** @throws AppError DOCUMENT_UNREADABLE when Slack does not give the file, or more than `most` bytes */
  async download({ url, bytes }: SlackFile, most: number, signal: AbortSignal): Promise<Uint8Array> {
    if (url === undefined || !this.#isSlacks(url)) throw new AppError("DOCUMENT_UNREADABLE", "Slack does not keep this file itself.");
    if (bytes > most) throw tooLarge(most);
    try {
      const response = await this.#parts.fetch(url, {
        headers: { authorization: `Bearer ${this.#parts.token.reveal()}` },
        // Another address must not get the token, and no file of Slack's is elsewhere.
        redirect: "error",
        configured: this.#parts.apiUrl !== undefined,
        tenant: this.#parts.tenant,
        limits: { totalMs: timeoutMs, receivedBytes: most, bytes: most },
        signal,
      });
      // Without the right to files Slack answers with a page to sign in at.
      const page = response.headers.get("content-type")?.startsWith("text/html") === true && !/\.html?$/i.test(new URL(url).pathname);
      if (response.ok && !page) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      throw new AppError("DOCUMENT_UNREADABLE", "Slack did not give the file.");
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === "FETCH_LIMIT") throw tooLarge(most);
      throw codeOf(error) === "DOCUMENT_UNREADABLE"
        ? error
        : new AppError("DOCUMENT_UNREADABLE", "Slack did not give the file.", { cause: error });
    }
  }

  #isSlacks(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { origin, username, password } = new URL(address);
    return this.#hosts.has(origin) && username === "" && password === "";
  }
}

const tooLarge = (most: number): AppError =>
  new AppError("DOCUMENT_UNREADABLE", `It is larger than ${Math.floor(most / (1024 * 1024))} MB, or comes too slowly.`);
