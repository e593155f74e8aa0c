import { AppError } from "../../../core/errors.ts";
import type { ChannelId } from "../../../core/ids.ts";
import { documentNames } from "../../../knowledge/ingest/document-names.ts";
import { MAX_FILE_BYTES } from "../../../knowledge/ingest/files.ts";
import type { DocumentSource } from "../../../knowledge/sources/document-source.ts";
import { slackErrorCode } from "../../workspace/slack-reader.ts";
import { sourceOf } from "../file-store.ts";
import type { SlackFile, SlackFiles } from "../slack-file.ts";

export type ChannelFiles = Pick<SlackFiles, "channel" | "sharedIn" | "isIn" | "download">;

/** Files of one channel at most. */
const mostFiles = 2_000;
const tooMany = `The channel has more than ${mostFiles.toLocaleString("en")} files. Only the newest are read.`;
const notIn = () => new AppError("SOURCE_WITHDRAWN", "Footnote is not in this channel. Invite it there, and its files are read again.");

/** Endings by which the reader knows a kind of Slack's, where a name has none. */
const endings: Readonly<Record<string, string>> = { markdown: "md", text: "txt", email: "eml", space: "html" };

/**
 * The documents among the files that are shared in a channel, as they are shared now. Nothing is kept of a channel that the bot is not in:
 * whoever takes it out takes its knowledge away.
 * @param open gives the workspace's files; rejects when it has no usable token
 */
export function channelSource(channel: ChannelId, open: () => Promise<ChannelFiles>): DocumentSource {
  return {
    withdrawn: (signal) => reached(signal, async () => ((await (await open()).channel(channel, signal))?.isIn ? undefined : notIn())),
    isGone: (id, signal) => reached(signal, async () => !(await (await open()).isIn(id, channel, signal))),
    sharedUri: sourceOf,
    async *items(signal, incomplete) {
      const slack = await reached(signal, open);
      const files = slack.sharedIn(channel, signal, () => incomplete(tooMany))[Symbol.asyncIterator]();
      for (let count = 0; ; ) {
        const { value: file, done } = await reached(signal, () => files.next());
        if (done) return;
        const name = documentName(file);
        if (name === undefined) continue;
        if (++count > mostFiles) return incomplete(tooMany);
        const { id, version } = file;
        yield {
          ...{ uri: id, name, version },
          read: async (_known, stop) => ({ status: "read", bytes: await slack.download(file, MAX_FILE_BYTES, stop) }),
        };
      }
    },
  };
}

/** The name under which it is read; undefined for pictures, sound, programs. What Slack keeps from us is told, whatever it is called. */
function documentName({ name, kind, unreadable }: SlackFile): string | undefined {
  if (documentNames.test(name)) return name;
  const named = `${name}.${endings[kind] ?? kind}`;
  return documentNames.test(named) ? named : unreadable !== undefined && !/\.\w{1,5}$/.test(name) ? name : undefined;
}

/** @throws AppError SOURCE_UNREACHABLE for whatever Slack refuses */
async function reached<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    const code = slackErrorCode(cause);
    throw new AppError("SOURCE_UNREACHABLE", code === undefined ? "Slack does not answer." : `Slack says: ${code}.`, { cause });
  }
}
