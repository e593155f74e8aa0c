import type { Rights } from "../../permissions/audience.ts";
import type { ToggleScope } from "../../permissions/toggles.ts";
import type { ToolEffect } from "../../plugins/contract.ts";

/** What somebody tells the bot to do, as opposed to what they ask it. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "tools-list" }
  | ToolsSwitch
  | { readonly kind: "template-list" }
  | { readonly kind: "template-use"; readonly name: string }
  | ExternalCommand
  | AudienceCommand
  | DocsCommand
  | RoleCommand
  | { readonly kind: "role-usage" }
  | { readonly kind: "ask"; readonly question: string };

/** About documents that were added from Slack. */
export interface DocsCommand {
  readonly kind: "docs";
  readonly verb: "list" | "remove" | "reindex";
  /** Slack's id of the file; "" for a list. */
  readonly id: string;
}

/** A role for somebody, given or taken back. */
export interface RoleCommand {
  readonly kind: "role";
  readonly verb: "grant" | "revoke";
  /** A handle, as typed. */
  readonly person: string;
  /** As typed. */
  readonly role: string;
  /** In this channel alone. */
  readonly here: boolean;
  readonly days?: number;
}

/** With whose rights a channel is answered; without `rights` only what holds is told. */
export interface AudienceCommand {
  readonly kind: "audience";
  readonly rights?: Rights;
}

/** About tools of external servers. */
export interface ExternalCommand {
  readonly kind: "external";
  /** "add": a server, with something behind it that belongs into the form. */
  readonly verb: "list" | "show" | "approve" | "revoke" | "connect" | "logout" | "add" | "remove";
  /** The tool's name, or for "connect", "logout", "add" and "remove" the server's; "" for a list. */
  readonly name: string;
  /** What stood behind the @. */
  readonly fingerprint: string;
  readonly effect?: ToolEffect;
}

export interface ToolsSwitch {
  readonly kind: "tools-switch";
  readonly verb: "on" | "off" | "lock" | "unlock";
  /** As typed: one or several names, or "all". */
  readonly names: string;
  /** "here": the thread in a thread, else the channel. What the verb and the place suggest when absent. */
  readonly scope?: Exclude<ToggleScope, "admin"> | "here";
}

const verbs: ReadonlyMap<string, ToolsSwitch["verb"]> = new Map([
  ["on", "on"],
  ["enable", "on"],
  ["off", "off"],
  ["disable", "off"],
  ["lock", "lock"],
  ["unlock", "unlock"],
]);

/** What somebody may type behind a list of names to say for whom it counts. */
const scopes: readonly (readonly [RegExp, NonNullable<ToolsSwitch["scope"]>])[] = [
  [/(?:^|\s)(?:just |only )?for (?:me|myself)$/i, "person"],
  [/(?:^|\s)here$/i, "here"],
  [/(?:^|\s)(?:in |for )?(?:this |the )?channel$/i, "channel"],
  [/(?:^|\s)(?:in |for )?(?:this |the )?thread$/i, "thread"],
];

/** Text as it was meant: pasted text has other blanks and quotation marks, and characters that show nothing. */
const asMeant = (typed: string): string =>
  typed
    .normalize("NFKC")
    .replace(/[\u200B-\u200F\u2060-\u2064\uFEFF\u00AD]/g, "")
    .replace(/[\u2018-\u201B\u2032]/g, "'")
    .replace(/[\u201C-\u201F\u00AB\u00BB\u2033]/g, '"')
    .replace(/\s+/g, " ")
    .trim();

/** The control that opens a modal, when what stands behind `/footnote` asks for one rather than for a list or a change. */
export function opensModal(
  typed: string,
): "show_tools" | "show_templates" | "show_roles" | "show_servers" | "server_new" | "show_usage" | undefined {
  if (/^mcp add$/i.test(asMeant(typed))) return "server_new";
  if (/^mcp servers?$/i.test(asMeant(typed))) return "show_servers";
  if (/^(?:usage|budgets?)$/i.test(asMeant(typed))) return "show_usage";
  const [, word] = /^(tool|template|role)s?$/i.exec(asMeant(typed)) ?? [];
  return word === undefined ? undefined : `show_${word.toLowerCase() as "tool" | "template" | "role"}s`;
}

/** What stands behind `/footnote`. Anything unknown is a call for help. */
export function slashCommand(typed: string): Command {
  const text = asMeant(typed);
  const [first = "", ...rest] = text.split(" ");
  switch (first.toLowerCase()) {
    case "tools":
    case "tool":
      return toolsCommand(rest.join(" "));
    case "mcp":
      return externalCommand(rest);
    case "docs":
    case "documents":
      return docsCommand(rest);
    case "audience": {
      const rights = rest.join("_").toLowerCase();
      return { kind: "audience", ...((rights === "asker" || rights === "every_member") && { rights }) };
    }
    case "role":
    case "roles":
      return roleCommand(rest.join(" "));
    case "template":
    case "templates":
      return templateCommand(rest.join(" "));
    case "ask": {
      // The question's own blanks and line ends stay as they are.
      const question = typed
        .trim()
        .replace(/^\S+\s*/u, "")
        .trim();
      return question ? { kind: "ask", question } : { kind: "help" };
    }
    default:
      return { kind: "help" };
  }
}

/** What stands behind `/footnote docs`. What cannot be read as a change is a wish to see the list, which says how to change it. */
function docsCommand([verb, id = ""]: readonly string[]): Command {
  const named = unquoted(id).toUpperCase();
  if ((verb !== "remove" && verb !== "reindex") || !/^F[A-Z0-9]+$/.test(named)) return { kind: "docs", verb: "list", id: "" };
  return { kind: "docs", verb, id: named };
}

/** What stands behind `/footnote role`: "grant @anna template-editor in this channel for 30 days". What cannot be read says how it is written. */
function roleCommand(text: string): Command {
  const [, verb = "", person = "", more = ""] = /^(grant|give|revoke|take) (\S+) (.+)$/i.exec(text) ?? [];
  if (verb === "") return { kind: "role-usage" };
  const [forDays, days] = /(?:^| )for (\d{1,3}) days?\b/i.exec(more) ?? [""];
  const [inChannel] = /(?:^| )(?:here|(?:in )?this channel)\b/i.exec(more) ?? [""];
  const role = more.replace(forDays, "").replace(inChannel, "").trim();
  return {
    ...({ kind: "role", verb: /^(?:grant|give)$/i.test(verb) ? "grant" : "revoke", person, role } as const),
    ...{ here: inChannel !== "", ...(days !== undefined && { days: Number(days) }) },
  };
}

const effects: ReadonlySet<string> = new Set<ToolEffect>(["read-inside", "read-outside", "side-effect", "destructive"]);

const isExternalVerb = (verb: string): verb is ExternalCommand["verb"] =>
  ["show", "approve", "revoke", "connect", "logout", "add", "remove"].includes(verb);

/** What stands behind `/footnote mcp`. What cannot be read as a change is a wish to see the list, which says how to change it. */
function externalCommand([verb = "list", named = "", effect]: readonly string[]): Command {
  const list = { kind: "external", verb: "list", name: "", fingerprint: "" } as const;
  if (!isExternalVerb(verb) || named === "") return list;
  if (verb === "add" || verb === "remove") return { ...list, verb, name: unquoted(named) };
  if (effect !== undefined && !effects.has(effect)) return list;
  const [name = "", fingerprint = ""] = unquoted(named).split("@");
  return { kind: "external", verb, name, fingerprint, ...(effect !== undefined && { effect: effect as ToolEffect }) };
}

/** A message that begins with `!tools` is a command in any case; undefined for every other message. */
export function bangCommand(text: string): Command | undefined {
  const [, rest] = /^! ?tools?(?: (.*))?$/i.exec(asMeant(text)) ?? [];
  return /^! ?tools?(?: |$)/i.test(asMeant(text)) ? toolsCommand(rest ?? "") : undefined;
}

/** Longest list of names that is taken for a command when the message might as well be a question ("tools on the market ..."). */
const longestList = 4;

/** A message to the bot that begins with `tools`, without its mention; undefined when it rather asks something. */
export function addressedCommand(text: string): Command | undefined {
  const meant = asMeant(text).replace(/[.!]+$/, "");
  if (!/^tools?(?: |$)/i.test(meant) || meant.endsWith("?")) return undefined;
  const rest = meant.replace(/^\S+ ?/, "");
  if (rest === "" || /^(?:list|help)$/i.test(rest)) return { kind: "tools-list" };
  const command = toolsCommand(rest);
  if (command.kind !== "tools-switch") return undefined;
  return command.names.split(" ").length <= longestList || command.names.includes(",") ? command : undefined;
}

/** What stands behind `tools`. What cannot be read as a change is a wish to see the list, which says how to change it. */
function toolsCommand(text: string): Command {
  const words = text.split(" ").filter((word) => word !== "");
  const first = verbs.get(words[0]?.toLowerCase() ?? "");
  const last = verbs.get(words.at(-1)?.toLowerCase() ?? "");
  if (/^reset$/i.test(words[0] ?? "")) return withScope("on", ["all", ...words.slice(1)].join(" "));
  if (first) return withScope(first, words.slice(1).join(" "));
  if (last && words.length > 1) return withScope(last, words.slice(0, -1).join(" "));
  return { kind: "tools-list" };
}

function withScope(verb: ToolsSwitch["verb"], text: string): Command {
  const found = scopes.find(([pattern]) => pattern.test(text));
  const names = unquoted(found ? text.replace(found[0], "").trim() : text);
  if (names === "") return { kind: "tools-list" };
  return { kind: "tools-switch", verb, names, ...(found && { scope: found[1] }) };
}

function templateCommand(text: string): Command {
  const [, name] = /^(?:use|set) (.+)$/i.exec(text) ?? [];
  if (name) return { kind: "template-use", name: unquoted(name) };
  return text === "" || /^list$/i.test(text) ? { kind: "template-list" } : { kind: "help" };
}

const unquoted = (text: string): string =>
  text
    .replace(/["`]/g, "")
    .replace(/^'+|'+$/g, "")
    .trim();
