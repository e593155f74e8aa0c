import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "./http-server.ts";
import { mayRead, type PageEvent, pageMessage, pageWorkspace } from "./page-shapes.ts";
import type { People } from "./people.ts";
import { BodyTooLarge, readBody } from "./request-body.ts";
import { actOnScreen, pageScreen } from "./screen-api.ts";
import type { Screens } from "./screens.ts";
import type { Change, Channel, Json, Message, Person, State, Workspace } from "./state.ts";

const prefix = "/playground/api/";
/** An open event stream is kept alive through proxies by a comment this often. Milliseconds. */
const heartbeatMs = 15_000;
/** Bytes of what the page sends at once: the largest file that the bot reads (25 MiB), as base64, with room to spare. */
const mostSent = 40_000_000;

/** A wish of the page that cannot be fulfilled, with the reason it is told. */
class Refused extends Error {}

/**
 * What the page in the browser asks for. It acts as any of the seeded people, but shows and does only what that person may.
 * The server has already turned away requests of other sites and for other hosts.
 */
export class PageApi {
  readonly #state: State;
  readonly #people: People;
  readonly #screens: Screens;

  constructor(state: State, people: People, screens: Screens) {
    this.#state = state;
    this.#people = people;
    this.#screens = screens;
  }

  /** @returns whether the request was one of the page's */
  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> {
    if (!url.pathname.startsWith(prefix)) return false;
    const route = `${request.method} ${url.pathname.slice(prefix.length)}`;
    try {
      if (route === "GET workspaces") json(response, 200, this.#state.workspaces.map(pageWorkspace));
      else if (route === "GET messages") json(response, 200, { messages: this.#messages(url.searchParams) });
      else if (route === "GET events") this.#follow(request, response, url.searchParams);
      else if (route === "POST messages") json(response, 200, await this.#post(await sentFields(request)));
      else if (route === "POST shortcuts") json(response, 200, await this.#shortcut(await sentFields(request)));
      else if (route === "POST actions") json(response, 200, await this.#act(await sentFields(request)));
      else if (route === "GET screen") json(response, 200, pageScreen(this.#screens, this.#onScreen(Object.fromEntries(url.searchParams))));
      else if (route.startsWith("POST screen/")) json(response, 200, await this.#actOnScreen(route.slice(12), await sentFields(request)));
      else json(response, 404, { error: "unknown_route" });
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      json(response, 400, { error: thrown.message });
    }
    return true;
  }

  #messages(query: URLSearchParams) {
    const { workspace, person } = this.#who(query.get("workspace"), query.get("as"));
    const channel = this.#readable(workspace, person, query.get("channel"));
    const thread = query.get("thread");
    return channel.messages
      .filter((message) => !message.deleted && (!message.ephemeralTo || message.ephemeralTo === person.id))
      .filter((message) => (thread ? message.ts === thread || message.threadTs === thread : isTopLevel(message)))
      .map((message) => pageMessage(channel, message));
  }

  async #post(fields: Json) {
    const { workspace, person } = this.#who(fields.workspace, fields.as);
    const channel = this.#readable(workspace, person, fields.channel);
    const text = typeof fields.text === "string" ? fields.text.trim() : "";
    const thread = typeof fields.thread === "string" && fields.thread ? fields.thread : undefined;
    const files = droppedFiles(fields.files);
    if (!text && files.length === 0) throw new Refused("no_text");
    if (!channel.members.has(person.id)) throw new Refused("not_in_channel");
    const at = { workspace: workspace.name, as: person.id, channel: channel.id };
    if (text.startsWith("/")) {
      if (thread) throw new Refused("not supported in threads");
      const [command = "", ...words] = text.split(" ");
      await this.#people.command({ ...at, command, text: words.join(" ").trim() });
      return { channel: channel.id };
    }
    return { ts: this.#people.post({ ...at, text, ...(thread && { thread }), ...(files.length > 0 && { files }) }), channel: channel.id };
  }

  async #act(fields: Json) {
    const { workspace, person } = this.#who(fields.workspace, fields.as);
    const channel = this.#readable(workspace, person, fields.channel);
    if (!channel.members.has(person.id)) throw new Refused("not_in_channel");
    const { ts, actionId, blockId, value } = fields;
    if (typeof ts !== "string" || typeof actionId !== "string") throw new Refused("invalid_arguments");
    const press = {
      workspace: workspace.name,
      as: person.id,
      channel: channel.id,
      ts,
      actionId,
      ...(typeof blockId === "string" && { blockId }),
      ...(typeof value === "string" && { value }),
    };
    const attempt = await this.#people.click(press).catch(() => {
      throw new Refused("no_such_action");
    });
    return { ok: attempt.outcome === "acknowledged" };
  }

  async #shortcut(fields: Json) {
    const { workspace, person } = this.#who(fields.workspace, fields.as);
    const channel = this.#readable(workspace, person, fields.channel);
    const { ts, callbackId } = fields;
    if (typeof ts !== "string" || typeof callbackId !== "string") throw new Refused("invalid_arguments");
    const at = { workspace: workspace.name, as: person.id, channel: channel.id, ts, callbackId };
    const attempt = await this.#people.shortcut(at).catch(() => {
      throw new Refused("no_such_action");
    });
    return { ok: attempt.outcome === "acknowledged" };
  }

  #onScreen(fields: Json) {
    const { workspace, person } = this.#who(fields.workspace, fields.as);
    return { workspace: workspace.name, as: person.id };
  }

  async #actOnScreen(action: string, fields: Json): Promise<Json> {
    const on = this.#onScreen(fields);
    return actOnScreen(this.#screens, on, action, fields).catch(() => {
      throw new Refused("no_such_action");
    });
  }

  /** Server-sent events of everything this person may see in one workspace. */
  #follow(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const { workspace, person } = this.#who(query.get("workspace"), query.get("as"));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
    response.write(": open\n\n");
    const end = this.#state.onChange((change) => {
      const event = this.#eventFor(workspace, person, change);
      if (event) response.write(`data: ${JSON.stringify(event)}\n\n`);
    });
    const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
    request.once("close", () => {
      clearInterval(heartbeat);
      end();
    });
  }

  #eventFor(workspace: Workspace, person: Person, change: Change): PageEvent | undefined {
    if (change.type === "event" || change.type === "record") return undefined;
    if (change.type === "view") return change.workspace === workspace && change.userId === person.id ? { type: "view" } : undefined;
    const { channel } = change;
    if (!mayRead(this.#state, workspace, person, channel)) return undefined;
    if (change.type === "status") {
      const { threadTs, status, loadingMessages } = change;
      return { type: "status", channel: channel.id, message: { threadTs, status, loadingMessages } };
    }
    const { ephemeralTo } = change.message;
    if (ephemeralTo && ephemeralTo !== person.id) return undefined;
    const types = {
      "message-posted": ephemeralTo ? "ephemeral" : "message",
      "message-changed": "changed",
      "message-deleted": "deleted",
    } as const;
    return { type: types[change.type], channel: channel.id, message: pageMessage(channel, change.message) };
  }

  #who(workspaceName: unknown, as: unknown): { workspace: Workspace; person: Person } {
    const workspace = this.#state.workspaces.find((candidate) => candidate.name === workspaceName);
    if (!workspace) throw new Refused("workspace_not_found");
    const people = [...workspace.people.values()].filter((candidate) => !candidate.botId && !candidate.deactivated);
    const person = people.find((candidate) => candidate.id === as || candidate.name === as);
    if (!person) throw new Refused("user_not_found");
    return { workspace, person };
  }

  /** A channel by id, name or "direct". One that the person may not read is the same as none. */
  #readable(workspace: Workspace, person: Person, wanted: unknown): Channel {
    const channel = [...workspace.channels.values()].find((candidate) =>
      wanted === "direct"
        ? candidate.kind === "direct" && candidate.members.has(person.id)
        : candidate.id === wanted || (candidate.kind !== "direct" && candidate.name === wanted),
    );
    if (!channel || !mayRead(this.#state, workspace, person, channel)) throw new Refused("channel_not_found");
    return channel;
  }
}

const isTopLevel = (message: Message): boolean =>
  !message.threadTs || message.threadTs === message.ts || message.subtype === "thread_broadcast";

/** JSON only: a form on another site cannot send that without the browser asking first. */
async function sentFields(request: IncomingMessage): Promise<Json> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) throw new Refused("json_required");
  try {
    const fields: unknown = JSON.parse(await readBody(request, mostSent));
    if (typeof fields === "object" && fields !== null) return fields as Json;
  } catch (thrown) {
    if (thrown instanceof BodyTooLarge) throw new Refused("too_large");
    // Falls through to the refusal.
  }
  throw new Refused("invalid_json");
}

/** Files as the page sends them: a name, and the content as base64. */
const droppedFiles = (given: unknown) =>
  (Array.isArray(given) ? given : []).flatMap((file: unknown) => {
    const { name, data } = (file ?? {}) as { name?: unknown; data?: unknown };
    return typeof name === "string" && typeof data === "string" ? [{ name: name.slice(0, 200), bytes: Buffer.from(data, "base64") }] : [];
  });
