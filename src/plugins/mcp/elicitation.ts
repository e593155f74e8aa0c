import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import type { FormField, ToolContext } from "../contract.ts";
import { shortText } from "./clean-text.ts";

/** Whoever asked, as one call reaches them: what a server wants to know goes to them, and what it wants a model to write. Without either nobody can be asked. */
export type Asker = Pick<ToolContext, "confirm" | "writeFor">;

const LONGEST_MESSAGE = 300;

/** Fields that a person would fill in. More is no question. */
const MOST_FIELDS = 20;
const LONGEST_LABEL = 150;
const MOST_OPTIONS = 100;
/** Of one option, as Slack takes it. */
const LONGEST_OPTION = 75;

/**
 * Answers a server's question with what its asker has confirmed or filled in, and with nothing else. A question with a field that nobody can
 * fill in here is a no, and so is one of which it is not clear whose call it belongs to.
 * @param asking of the calls that are under way on this connection
 * @param withdrawn aborts when the server no longer wants to know
 */
export async function answerTo({ params }: ElicitRequest, asking: ReadonlySet<Asker>, withdrawn?: AbortSignal): Promise<ElicitResult> {
  const [asker, ...others] = asking;
  const confirm = asker?.confirm;
  if (!confirm || others.length > 0) return { action: "cancel" };
  if (params.mode === "url") return { action: "decline" };
  const { properties, required = [] } = params.requestedSchema;
  const values = Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      "default" in property && property.default !== undefined ? [[name, property.default]] : [],
    ),
  );
  const fields = Object.entries(properties).flatMap(([name, property]) => fieldOf(name, property, required.includes(name)) ?? []);
  const fillable = new Set(fields.map(({ name }) => name));
  if (fields.length > MOST_FIELDS || required.some((name) => !Object.hasOwn(values, name) && !fillable.has(name)))
    return { action: "decline" };
  const confirmed = await confirm({ message: shortText(params.message, LONGEST_MESSAGE), values, fields }, withdrawn);
  if (!confirmed) return { action: "decline" };
  // What no field holds cannot be changed: it stands on the card as it was proposed.
  const fixed = Object.entries(values).filter(([name]) => !fillable.has(name));
  return { action: "accept", content: { ...Object.fromEntries(fixed), ...confirmed } as NonNullable<ElicitResult["content"]> };
}

type Property = Readonly<Record<string, unknown>>;

/** Undefined for what is no single text, number, choice or yes and no. */
function fieldOf(name: string, given: Property, required: boolean): FormField | undefined {
  if (name.length > LONGEST_LABEL) return undefined;
  const label = shortText(String(given.title ?? given.description ?? name), LONGEST_LABEL) || name;
  const options = optionsOf(given);
  if (options) {
    const fit = options.length > 0 && options.length <= MOST_OPTIONS && options.every((one) => one !== "" && one.length <= LONGEST_OPTION);
    return fit ? { name, label, kind: "choice", required, options } : undefined;
  }
  const kind = kinds.get(given.type);
  return kind && { name, label, kind, required };
}

const kinds: ReadonlyMap<unknown, FormField["kind"]> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "integer"],
  ["boolean", "yes-no"],
]);

/** The values that may be chosen, in both forms of the protocol. */
function optionsOf({ type, enum: values, oneOf }: Property): readonly string[] | undefined {
  if (type !== "string") return undefined;
  if (Array.isArray(values)) return values.map(String);
  return Array.isArray(oneOf) ? oneOf.map((one: { readonly const?: unknown }) => String(one?.const ?? "")) : undefined;
}
