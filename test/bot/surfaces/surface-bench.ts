import type { HomeView, ModalView } from "@slack/types";
import { checkView } from "../../../playground/server/limits.ts";
import type { Question } from "../../../src/agent/ports.ts";
import type { ChannelTemplate } from "../../../src/agent/templates/template.ts";
import type { TraceRecord } from "../../../src/agent/trace.ts";
import type { TenantConnections } from "../../../src/bot/approvals/login/connections.ts";
import type { FileToAdd } from "../../../src/bot/documents/document-desk.ts";
import type { MessageMark, WriteOptions } from "../../../src/bot/out/message-mark.ts";
import type { SuggestedPrompt } from "../../../src/bot/out/slack-agent-view.ts";
import { SlackFailure } from "../../../src/bot/out/slack-failure.ts";
import type { BodySource, MessageBody } from "../../../src/bot/out/slack-writer.ts";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { Surface } from "../../../src/bot/surfaces/surface.ts";
import type { IncomingMessage } from "../../../src/bot/turns/turn-store.ts";
import { systemClock } from "../../../src/core/clock.ts";
import {
  type ChannelId,
  type MessageTs,
  messageTs,
  newId,
  type PersonId,
  type TenantId,
  type TurnId,
  traceId,
  turnId,
} from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { channelPrincipal, everyone } from "../../../src/core/principal.ts";
import type { StoredSource } from "../../../src/knowledge/sources/source-store.ts";
import type { Person, Place } from "../../../src/permissions/directory.ts";
import type { Tool } from "../../../src/plugins/contract.ts";
import { defineTool, text } from "../../../src/plugins/define.ts";
import { AppRoleRepository } from "../../../src/store/repositories/app-roles.ts";
import { ChannelAudienceRepository } from "../../../src/store/repositories/channel-audiences.ts";
import { CommandRepository } from "../../../src/store/repositories/commands.ts";
import { FeedbackRepository } from "../../../src/store/repositories/feedback.ts";
import { HomeRepository } from "../../../src/store/repositories/home.ts";
import { PrivateSearchRepository } from "../../../src/store/repositories/private-searches.ts";
import { SlackFileRepository } from "../../../src/store/repositories/slack-files.ts";
import { SourceRepository } from "../../../src/store/repositories/sources.ts";
import { rememberBudgets, SpendingRepository } from "../../../src/store/repositories/spending.ts";
import { TemplateDeskRepository } from "../../../src/store/repositories/template-desk.ts";
import { TemplateRepository } from "../../../src/store/repositories/templates.ts";
import { ToolChoiceRepository } from "../../../src/store/repositories/tool-choices.ts";
import { TraceRepository } from "../../../src/store/repositories/traces.ts";
import { TurnChangeRepository } from "../../../src/store/repositories/turn-changes.ts";
import { TurnRepository } from "../../../src/store/repositories/turns.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { documentIdOf, MemoryLibrary, passageIdOf } from "../../fakes/memory-library.ts";
import { serverDeskOn } from "../../fakes/own-servers.ts";
import { channel, person, place } from "../../fakes/people.ts";
import { type DatabaseKind, openTestDatabase, type TestDatabase } from "../../fakes/test-database.ts";

/** Everybody there can be, in the order of the policy tables. An outsider's own workspace may call them an admin. */
export const identities: readonly Person[] = [
  person("owner", { role: "owner" }),
  person("admin", { role: "admin" }),
  person("member"),
  person("guest", { role: "guest" }),
  person("outsider", { role: "outsider" }),
  person("bot", { role: "admin", isBot: true }),
  person("gone", { role: "owner", deactivated: true }),
];
export const [owner, admin, member, guest] = identities as [Person, Person, Person, Person];

export const [hall, cellar] = [channel("hall"), channel("cellar")];
export const thread = messageTs("1.000001");

export const toolNamed = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...defineTool({ name, description: "Does.", parameters: { type: "object", properties: {} }, execute: async () => text("") }),
  ...more,
});

/** Everything a reader sees of a view. */
export const wordsOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([key, inner]) => (key === "text" && typeof inner === "string" ? inner : wordsOf(inner)))
        .filter((part) => part !== "")
        .join("\n")
    : "";

/** The surface over a real database, with a directory, a library and a Slack in memory. Everybody but the gone is in the hall; nobody in the cellar but the owner. */
export class Bench {
  readonly db: TestDatabase;
  readonly shown: { readonly how: string; readonly to: string; readonly view: ModalView | HomeView }[] = [];
  readonly told: { readonly to: PersonId; readonly text: string }[] = [];
  /** Questions that were offered in direct messages. */
  readonly suggested: { readonly to: ChannelId; readonly title: string; readonly prompts: readonly string[] }[] = [];
  /** Messages that everybody in a place sees. */
  readonly posted: {
    readonly channel: ChannelId;
    readonly thread: MessageTs | undefined;
    readonly body: MessageBody;
    readonly mark?: MessageMark;
  }[] = [];
  /** What comes of a question that is asked for somebody; it is stored for good unless said otherwise. */
  accepting: (message: IncomingMessage) => Promise<"queued" | "workspace-full"> = (message) => this.#stores(message);
  /** Answers to which something was added. */
  readonly addedTo: TurnId[] = [];
  /** Files that are read for the documents. */
  readonly read: FileToAdd[] = [];
  /** Sources that were to be read at once. */
  readonly sourcesRead: string[] = [];
  /** Questions that were asked for somebody. */
  readonly asked: IncomingMessage[] = [];
  /** Codes with which Slack refuses the next messages. */
  postRefusals: string[] = [];
  /** People of other organisations in the hall. */
  outsiders: Place["outsiders"] = "none";
  /** How many people are in the hall. */
  readers = 5;
  readonly library = new MemoryLibrary();
  readonly tried: { readonly question: string; readonly template: ChannelTemplate }[] = [];
  models: readonly string[] = [];
  /** What time it is for the surface; the real one unless said. */
  at: Date | undefined;
  /** External servers that were stored or removed. */
  readonly changedServers: string[] = [];
  /** Tenants and people with a log-in at the calendar. */
  readonly loggedIn = new Set<string>();
  tools: Tool[] = [toolNamed("query_documents"), toolNamed("web_search", { annotations: { title: "Web search" } })];
  people: readonly Person[] = identities;
  tenant!: TenantId;
  other!: TenantId;
  /** Codes with which Slack refuses the next calls. */
  refusals: string[] = [];
  surface!: Surface;

  private constructor(db: TestDatabase) {
    this.db = db;
  }

  static async open(kind: DatabaseKind): Promise<Bench> {
    return new Bench(await openTestDatabase(kind));
  }

  /** Two fresh tenants; the first has two answers in the hall, and one in the cellar. */
  async reset(): Promise<void> {
    [this.tenant, this.other] = [await this.db.addTenant(), await this.db.addTenant()];
    this.shown.length = 0;
    this.told.length = 0;
    this.posted.length = 0;
    this.suggested.length = 0;
    this.asked.length = 0;
    this.accepting = (message) => this.#stores(message);
    this.read.length = 0;
    this.addedTo.length = 0;
    this.sourcesRead.length = 0;
    this.postRefusals = [];
    this.refusals = [];
    this.people = identities;
    this.library.add(this.tenant, { title: "Handbook", grants: [everyone], pages: ["Leave is 18 weeks."] });
    this.library.add(this.tenant, { title: "Hall rules", grants: [channelPrincipal(hall)], pages: ["No shoes."] });
    this.tried.length = 0;
    this.at = undefined;
    this.loggedIn.clear();
    this.changedServers.length = 0;
    const parts = {
      models: this.models,
      templateChanged: () => {},
      desk: (tenant: TenantId) => this.desk(tenant),
      respond: async () => false,
      inbox: {
        accept: async (_tenant: TenantId, message: IncomingMessage) => {
          this.asked.push(message);
          return this.accepting(message);
        },
      },
      tryOut: async (question: Pick<Question, "text">, template: ChannelTemplate) => {
        this.tried.push({ question: question.text, template });
        return { status: "answered" as const, text: `As ${template.title} says.`, citations: [], tools: [], traceId: traceId(newId()) };
      },
      documents: {
        read: (_tenant: TenantId, files: readonly FileToAdd[]) => void this.read.push(...files),
        remove: async () => "gone" as const,
        isReading: () => false,
      },
      added: (turn: TurnId) => void this.addedTo.push(turn),
      channelFiles: {
        read: async (_tenant: TenantId, { id }: Pick<StoredSource, "id">) => void this.sourcesRead.push(id),
        remove: async (tenant: TenantId, { id }: Pick<StoredSource, "id">) => {
          await (await this.desk(tenant)).sources.remove(id);
          return 3;
        },
      },
      clock: { ...systemClock, now: () => this.at ?? systemClock.now() },
      log: silentLogger,
    };
    const tools = () => this.tools;
    this.surface = new Surface({
      ...parts,
      get tools() {
        return tools();
      },
    });
  }

  async desk(tenant: TenantId) {
    const run = this.db.database.forTenant(tenant);
    const places = [
      place("hall", "public", { guests: "some", outsiders: this.outsiders, readers: this.readers }),
      place("cellar", "private"),
    ];
    const directs = this.people.map(({ id }) => ({ ...place("d", "direct"), id: channel(`DM_${id}`) }));
    const inHall = this.people.filter(({ deactivated }) => !deactivated).map(({ id }) => id);
    const members = new Map<ChannelId, readonly PersonId[]>([
      [hall, inHall],
      [cellar, [owner.id]],
    ]);
    const people = () => this.people;
    const directory = Object.assign(new MemoryDirectory(this.people, [...places, ...directs], members), {
      userGroups: async () => [{ id: "S1", name: "Engineers" }],
      namedChannelsOf: async (id: PersonId) =>
        [...members].flatMap(([where, inside]) => (inside.includes(id) ? [{ id: where, name: where.slice(2).toLowerCase() }] : [])),
      placeNow: async (id: ChannelId) => places.concat(directs).find((each) => each.id === id),
      personNow: async (id: PersonId) => people().find((each) => each.id === id),
    });
    const act = (how: string) => async (to: string, view: ModalView | HomeView) => {
      const code = this.refusals.shift();
      if (code) throw new SlackFailure("refused", code);
      // As Slack looks at it: too long, too many, or the same id twice is refused.
      checkView(JSON.parse(JSON.stringify(view)), view.type);
      this.shown.push({ how, to, view });
      return { id: "V1", hash: "h" };
    };
    return {
      commands: new CommandRepository(tenant, run),
      templates: new TemplateRepository(tenant, run),
      templateDesk: new TemplateDeskRepository(tenant, run),
      choices: this.choices(tenant),
      files: new SlackFileRepository(tenant, run),
      sources: new SourceRepository(run, tenant),
      audiences: new ChannelAudienceRepository(tenant, run),
      roles: new AppRoleRepository(tenant, run),
      changes: new TurnChangeRepository(run, tenant),
      usage: new SpendingRepository(tenant, run, rememberBudgets()),
      searches: new PrivateSearchRepository(tenant, run),
      directory,
      writer: {
        post: async (where: ChannelId, under: MessageTs | undefined, body: BodySource, { mark }: WriteOptions = {}) => {
          const code = this.postRefusals.shift();
          if (code) throw new SlackFailure("place-gone", code);
          const content = body();
          if (content) this.posted.push({ channel: where, thread: under, body: content, ...(mark && { mark }) });
          return messageTs(`9.00000${this.posted.length}`);
        },
        findPosted: async (where: ChannelId, under: MessageTs, mark: MessageMark) =>
          this.posted.some((each) => each.channel === where && each.thread === under && JSON.stringify(each.mark) === JSON.stringify(mark))
            ? messageTs("9.000001")
            : undefined,
        postEphemeral: async (_channel: ChannelId, to: PersonId, body: MessageBody) => void this.told.push({ to, text: body.text }),
      },
      views: {
        open: act("open"),
        push: act("push"),
        update: act("update"),
        publish: async (to: PersonId, view: HomeView) => void (await act("publish")(to, view)),
      },
      agentView: {
        suggest: async (to: ChannelId, title: string, prompts: readonly SuggestedPrompt[]) =>
          void this.suggested.push({ to, title, prompts: prompts.map(({ message }) => message) }),
      },
      library: this.library.forTenant(tenant),
      traces: new TraceRepository(run, tenant),
      feedback: new FeedbackRepository(run, tenant),
      home: new HomeRepository(run),
      connections: this.connections(tenant),
      servers: serverDeskOn(this.db, tenant, { changed: (name) => void this.changedServers.push(name) }),
      bot: person("footnote").id,
      links: { passage: () => "https://footnote.example/sources/x" },
    };
  }

  /** Everybody's log-ins at one server, which only the first tenant has. */
  connections(tenant: TenantId): TenantConnections {
    const key = (id: PersonId) => `${tenant} ${id}`;
    const here = tenant === this.tenant;
    return {
      of: async (id) =>
        here
          ? [{ server: "calendar", title: "Calendar", host: "calendar.example", state: this.loggedIn.has(key(id)) ? "connected" : "none" }]
          : [],
      link: async (server, id) => (here && server === "calendar" ? `https://footnote.test/login/${id}` : undefined),
      logOut: async (_server, id) => this.loggedIn.delete(key(id)),
    };
  }

  /** Milliseconds since 1970. */
  now(): number {
    return systemClock.now().getTime();
  }

  choices(tenant: TenantId = this.tenant): ToolChoiceRepository {
    return new ToolChoiceRepository(
      tenant,
      this.db.database.forTenant(tenant),
      this.tools.map(({ name }) => name),
    );
  }

  /** Stores an answer that cites both documents. */
  async answer(where: ChannelId = hall, changes: Partial<TraceRecord> = {}): Promise<TraceRecord> {
    const trace: TraceRecord = {
      ...{ id: traceId(newId()), person: member.id, channel: where, thread, startedAt: systemClock.now(), ms: 5, status: "answered" },
      ...{ inputTokens: 1, outputTokens: 1, entries: [] },
      cited: [
        { n: 1, id: passageIdOf("Handbook", 1), relevance: 0.9, documentId: documentIdOf("Handbook") },
        { n: 2, id: passageIdOf("Hall rules", 1), relevance: 0.5, documentId: documentIdOf("Hall rules") },
      ],
      ...changes,
    };
    await (await this.desk(this.tenant)).traces.save(trace);
    return trace;
  }

  /**
   * Everybody has asked the same in the hall, and has the answer of a private search in their direct message. The ids by person.
   */
  async privateAnswers(cited?: TraceRecord["cited"]): Promise<ReadonlyMap<string, { readonly turn: string; readonly trace: string }>> {
    const ids = new Map<string, { turn: string; trace: string }>();
    for (const { id } of this.people) {
      const turn = turnId(newId());
      const direct = channel(`DM_${id}`);
      const [ts, at] = [messageTs("5.000001"), `'${this.tenant}', '${direct}', '5.000001'`];
      const changes = { person: id, thread: ts, message: ts, ...(cited && { cited }) };
      const { id: trace } = await this.answer(direct, changes);
      await this.db.asOwner(
        `INSERT INTO turns (tenant_id, id, event_id, channel, message_ts, thread_ts, person, question, files, status)
         VALUES ('${this.tenant}', '${turn}', 'Ev ${id}', '${hall}', '${thread}${ids.size}', '${thread}', '${id}', 'How long is *leave*?', '{F01 leave.pdf}', 'answered')`,
      );
      await this.db.asOwner(
        `INSERT INTO private_searches (tenant_id, turn_id, person, channel, thread_ts, direct_channel, direct_thread)
         VALUES ('${this.tenant}', '${newId()}', '${id}', '${hall}', '${thread}', '${direct}', '5.000001')`,
      );
      await this.db.asOwner(
        `INSERT INTO thread_messages (tenant_id, channel, ts, thread_ts, author, answers_ts, text)
         VALUES (${at.replace("5.000001", "6.000001")}, '5.000001', 'assistant', '5.000001', 'It is **18 weeks** [1].')`,
      );
      ids.set(id, { turn, trace });
    }
    return ids;
  }

  /** Everybody has asked twice in a thread of their own in the hall. What waits there, by asker. */
  async waitingQuestions(): Promise<ReadonlyMap<string, string>> {
    const waiting = new Map<string, string>();
    for (const [index, { id }] of this.people.entries()) {
      const [first, second] = [messageTs(`7${index}.000001`), messageTs(`7${index}.000002`)];
      for (const ts of [first, second])
        await this.#stores({ eventId: newId(), channel: hall, thread: first, ts, person: id, text: "Why?", asks: "always" });
      waiting.set(id, second);
    }
    return waiting;
  }

  async #stores(message: IncomingMessage): Promise<"queued"> {
    const turns = new TurnRepository(this.db.database.forTenant(this.tenant), this.tenant);
    await turns.accept(message, { perThread: 99, perTenant: 99, total: 9_999 });
    return "queued";
  }

  /** Stores a question of the member's in the hall. @returns its turn */
  async ask(text: string): Promise<string> {
    const ts = messageTs(`${this.now() / 1_000}`);
    await this.#stores({ eventId: newId(), channel: hall, thread: ts, ts, person: member.id, text, asks: "always" });
    const [last] = await (await this.desk(this.tenant)).templateDesk.lastQuestions(hall, 1);
    return last?.turn ?? "";
  }

  /** Stores a template that says nothing but its title, as the operator does. */
  async templateNamed(name: string, title: string): Promise<void> {
    const { templates } = await this.desk(this.tenant);
    await templates.apply(
      { name, title, instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [] },
      "operator",
    );
  }

  /** Clicks as that person does, and resolves when all is done. @returns what they see then; "" when nothing new */
  async click(who: Pick<Person, "id">, action: string, more: Partial<Click> = {}): Promise<string> {
    const before = this.shown.length;
    const click = { tenant: this.tenant, person: who.id, action, value: "", trigger: newId(), entered: new Map<string, string>() };
    this.surface.clicked({ ...click, ...more });
    await this.surface.drained();
    return this.shown
      .slice(before)
      .map(({ view }) => wordsOf(view))
      .join("\n");
  }

  /** Sends a form as that person does. @returns what is wrong in it, by block, or what they see when all is done */
  async submit(who: Pick<Person, "id">, action: string, more: Partial<Click>): Promise<string | Readonly<Record<string, string>>> {
    const before = this.shown.length;
    const click = { tenant: this.tenant, person: who.id, action, value: "", trigger: newId(), entered: new Map<string, string>() };
    const { answer, begin } = this.surface.submitted({ ...click, ...more });
    if (answer?.response_action === "errors") return answer.errors;
    begin();
    await this.surface.drained();
    return this.shown
      .slice(before)
      .map(({ view }) => wordsOf(view))
      .join("\n");
  }

  /** The modal that was shown last, as a click in it carries it. */
  get top(): NonNullable<Click["view"]> {
    const view = this.shown.at(-1)?.view as ModalView;
    return { id: "V1", hash: "h", kind: "modal", metadata: view.private_metadata ?? "" };
  }

  /** Every row that the first workspace has in any table. */
  async stored(): Promise<ReadonlyMap<string, string>> {
    const tables = await this.db.asOwner<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`,
    );
    const rows = await this.db.asOwner<{ name: string; rows: string }>(
      tables
        .map(
          ({ name }) => `SELECT '${name}' AS name, coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows
             FROM "${name}" AS t WHERE tenant_id = '${this.tenant}'`,
        )
        .join(" UNION ALL "),
    );
    return new Map(rows.map(({ name, rows: all }) => [name, all]));
  }

  /** The audit log's lines, oldest first. */
  async audit(tenant: TenantId = this.tenant): Promise<readonly string[]> {
    const rows = await this.db.asOwner<{ line: string }>(
      `SELECT concat_ws(' ', actor, action, subject, nullif(scope, ''), nullif(channel_id, ''), nullif(thread_ts, ''), outcome) AS line
       FROM audit_log WHERE tenant_id = '${tenant}' ORDER BY noted_at, action, subject`,
    );
    return rows.map(({ line }) => line);
  }
}
