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
  /** Another one when the content may be another. */
  readonly version: string;
  /** Why Slack will not give its bytes. */
  readonly unreadable?: AppError;
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
  mode: z.string().optional(),
  file_access: z.string().optional(),
  created: z.number().optional(),
  edit_timestamp: z.number().optional(),
  updated: z.number().optional(),
  url_private_download: z.string().optional(),
  url_private: z.string().optional(),
});

/** Files of a page of a list, and pages of one channel at most: the rest is told. */
const [pageSize, mostPages] = [200, 25];
/** The answers by which Slack says that there is no such file, or none that the bot may see. */
const notThere: ReadonlySet<string> = new Set(["file_not_found", "file_deleted", "no_permission", "not_visible"]);

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
    const file = await described(this.#parts.slack.call("files.info", { file: id }));
    return file && (file.owner === by || file.channels.includes(where)) ? file : undefined;
  }

  /** Whether a file is shared in a channel at this moment. Rejects when Slack cannot tell. */
  async isIn(id: string, channel: ChannelId, signal: AbortSignal): Promise<boolean> {
    return (await described(this.#parts.slack.callPatiently("files.info", { file: id }, signal)))?.channels.includes(channel) === true;
  }

  /**
   * The files that are shared in a channel, the newest first. Rejects when Slack cannot tell.
   * @param incomplete is told when there are more
   */
  async *sharedIn(channel: ChannelId, signal: AbortSignal, incomplete: () => void): AsyncGenerator<SlackFile> {
    const { slack } = this.#parts;
    for (let page = 1; page <= mostPages; page++) {
      // Pages by number: this list has no cursor. What moves to another page while it is read comes twice, or at the next run.
      const args = { channel, count: pageSize, page, show_files_hidden_by_limit: true };
      const { files, paging } = list.parse(await slack.callPatiently("files.list", args, signal));
      for (const listed of files) {
        // Of another organisation: only its id is said, the rest when asked for it.
        const bare = listed.file_access === "check_file_info";
        const file = bare ? await described(slack.callPatiently("files.info", { file: listed.id }, signal)) : fileOf(listed);
        if (file) yield file;
      }
      if (page >= paging.pages) return;
    }
    incomplete();
  }

  /** How the bot stands to a channel at this moment; undefined when there is none that it may know of. Rejects when Slack cannot tell. */
  async channel(id: ChannelId, signal: AbortSignal): Promise<{ readonly isIn: boolean } | undefined> {
    try {
      const { channel } = await this.#parts.slack.callPatiently("conversations.info", { channel: id }, signal);
      return { isIn: (channel as { is_member?: boolean } | undefined)?.is_member === true };
    } catch (error) {
      if (slackErrorCode(error) === "channel_not_found") return undefined;
      throw error;
    }
  }

  /** @throws AppError DOCUMENT_UNREADABLE when Slack does not give the file, or more than `most` bytes */
  async download({ url, bytes, unreadable }: SlackFile, most: number, signal: AbortSignal): Promise<Uint8Array> {
    if (unreadable) throw unreadable;
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

const list = z.object({ files: z.array(info), paging: z.object({ pages: z.number() }) });

/** What an answer says of a file; undefined when it says that there is none. */
async function described(answer: Promise<Readonly<Record<string, unknown>>>): Promise<SlackFile | undefined> {
  try {
    const { data } = info.safeParse((await answer).file);
    return data && fileOf(data);
  } catch (error) {
    if (notThere.has(slackErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Undefined for what stands in the place of a file that was deleted. */
function fileOf(data: z.infer<typeof info>): SlackFile | undefined {
  if (data.mode === "tombstone" || data.file_access === "file_not_found") return undefined;
  const url = data.url_private_download ?? data.url_private;
  const unreadable = obstacleTo(data, url);
  return {
    ...{ id: data.id, name: fileName(data.name), bytes: data.size, kind: data.filetype, owner: data.user },
    channels: [...data.channels, ...data.groups, ...data.ims],
    version: [data.created, data.edit_timestamp ?? data.updated, data.size, data.mode].join(":"),
    ...(url !== undefined && { url }),
    ...(unreadable !== undefined && { unreadable }),
  };
}

/** Pages that people write in Slack itself. */
const slacksOwn: ReadonlySet<string> = new Set(["canvas", "quip", "list", "post", "space"]);

function obstacleTo({ mode = "", is_external, file_access }: z.infer<typeof info>, url: string | undefined): AppError | undefined {
  if (mode === "hidden_by_limit")
    return new AppError("DOCUMENT_UNREADABLE", "Slack hides it, since the workspace has reached the limit of its plan.");
  if (file_access === "access_denied") return new AppError("DOCUMENT_UNREADABLE", "Slack does not show it to me.");
  if (is_external || mode === "external") return new AppError("DOCUMENT_UNREADABLE", "Slack does not keep this file itself.");
  if (slacksOwn.has(mode)) return new AppError("DOCUMENT_UNREADABLE", "It is a canvas, list or post, which is not read.");
  return url === undefined ? new AppError("DOCUMENT_UNREADABLE", "Slack has no address from which it can be fetched.") : undefined;
}

const tooLarge = (most: number): AppError =>
  new AppError("DOCUMENT_UNREADABLE", `It is larger than ${Math.floor(most / (1024 * 1024))} MB, or comes too slowly.`);
