import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { shortText } from "./clean-text.ts";

/** What a server wants to know in the middle of a call, with the answers it proposes. */
export interface ServerQuestion {
  /** The server's own words: shown as such. */
  readonly message: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Puts a server's question to whoever asked. False: they said no, or nobody can be asked. */
export type Confirm = (question: ServerQuestion) => Promise<boolean>;

const LONGEST_MESSAGE = 300;

/**
 * Answers a server's question by what it proposes itself, once its asker has confirmed exactly that. A field that must be filled in and has
 * no proposal makes it a no, and so does a question of which it is not clear whose call it belongs to.
 * @param asking of the calls that are under way on this connection
 */
export async function answerTo({ params }: ElicitRequest, asking: ReadonlySet<Confirm>): Promise<ElicitResult> {
  const [confirm, ...others] = asking;
  if (!confirm || others.length > 0) return { action: "cancel" };
  if (params.mode === "url") return { action: "decline" };
  const { properties, required = [] } = params.requestedSchema;
  const values = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      "default" in property && property.default !== undefined ? [[name, property.default]] : [],
    ),
  ) as Record<string, string | number | boolean | string[]>;
  if (required.some((name) => !Object.hasOwn(values, name))) return { action: "decline" };
  const confirmed = await confirm({ message: shortText(params.message, LONGEST_MESSAGE), values });
  return confirmed ? { action: "accept", content: values } : { action: "decline" };
}
