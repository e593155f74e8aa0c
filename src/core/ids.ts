import { randomUUID } from "node:crypto";

/** A string that cannot be passed where another kind of id is wanted. */
type Id<Kind extends string> = string & { readonly kind: Kind };

/** One Slack workspace (or organisation) that uses this installation: our own UUID, never Slack's id. */
export type TenantId = Id<"tenant">;
/** A Slack user id such as U0123; unique only together with its tenant. */
export type PersonId = Id<"person">;
/** A Slack conversation id: channel, private channel, group or direct message. */
export type ChannelId = Id<"channel">;
/** A Slack message timestamp such as 1719282819.000100. Always a string: as a number it loses its last zeros. */
export type MessageTs = Id<"ts">;
/** One question and the work on its answer (UUID). */
export type TurnId = Id<"turn">;
/** The record of how one answer came to be (UUID). */
export type TraceId = Id<"trace">;
/** A document of a tenant (UUID). */
export type DocumentId = Id<"document">;
/** A piece of a document that is found and cited as one (UUID). */
export type PassageId = Id<"passage">;

export const tenantId = (raw: string) => raw as TenantId;
export const personId = (raw: string) => raw as PersonId;
export const channelId = (raw: string) => raw as ChannelId;
export const messageTs = (raw: string) => raw as MessageTs;
export const turnId = (raw: string) => raw as TurnId;
export const traceId = (raw: string) => raw as TraceId;
export const documentId = (raw: string) => raw as DocumentId;
export const passageId = (raw: string) => raw as PassageId;

/** A fresh random UUID. Unguessable, yet never in itself an authorisation. */
export const newId = (): string => randomUUID();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string from outside (a model, a person, a link) has the form of our ids, so that Postgres accepts it. */
export const isUuid = (raw: string): boolean => uuid.test(raw);
