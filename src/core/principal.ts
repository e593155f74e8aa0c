import type { ChannelId, PersonId } from "./ids.ts";

/**
 * Somebody a document can be granted to. `everyone` is every full member of the workspace (guests and outsiders are not);
 * a channel means whoever can read that channel.
 */
export type Principal = "everyone" | `channel:${string}` | `person:${string}` | `group:${string}`;

export const everyone: Principal = "everyone";
export const channelPrincipal = (id: ChannelId): Principal => `channel:${id}`;
export const personPrincipal = (id: PersonId): Principal => `person:${id}`;
export const groupPrincipal = (id: string): Principal => `group:${id}`;
