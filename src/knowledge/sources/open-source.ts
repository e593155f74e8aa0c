import { statSync } from "node:fs";
import { AppError } from "../../core/errors.ts";
import type { DocumentSource } from "./document-source.ts";
import { folderSource } from "./folder.ts";
import { readGitAddress } from "./git/git-address.ts";
import { type RepositoryParts, repositorySource } from "./git/repository.ts";
import type { SiteParts } from "./site.ts";
import type { NewSource } from "./source-store.ts";
import { websiteSource } from "./website.ts";

type Place = Pick<NewSource, "kind" | "address">;

/** What sources of a kind of their own need. */
interface ChannelParts {
  /** The files of a channel, by Slack's id. */
  channelFiles(channel: string): DocumentSource;
}

/** The place behind a source's address. Does not yet look whether it is there. */
export function openSource({ kind, address }: Place, parts: SiteParts & RepositoryParts & ChannelParts): DocumentSource {
  switch (kind) {
    case "folder":
      return folderSource(address);
    case "website":
      return websiteSource(address, parts);
    case "git":
      return repositorySource(address, parts);
    case "slack":
      return parts.channelFiles(address);
    default:
      return kind satisfies never;
  }
}

/** @throws AppError SOURCE_INVALID for an address that cannot be a source: what is mistyped is told at once, not at the first reading */
export function checkAddress({ kind, address }: Place): void {
  if (kind === "folder") {
    if (statSync(address, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new AppError("SOURCE_INVALID", `There is no folder ${address}.`);
  }
  if (kind === "git") return void readGitAddress(address);
  if (kind === "slack") {
    if (/^[CG][A-Z0-9]+$/.test(address)) return;
    throw new AppError("SOURCE_INVALID", "A channel goes by its name, as #people-ops.");
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new AppError("SOURCE_INVALID", "A website's address begins with https:// or http://.");
  if (url.username || url.password) throw new AppError("SOURCE_INVALID", "The address must not hold a password.");
}
