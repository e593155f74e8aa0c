import type { ModalView } from "@slack/types";
import { checkView } from "../../../playground/server/limits.ts";
import type { CallToAllow, Permission, Question } from "../../../src/agent/ports.ts";
import { ApprovalDesk, type CardSlack } from "../../../src/bot/approvals/approval-desk.ts";
import type { CallApprovals, Decision } from "../../../src/bot/approvals/approval-store.ts";
import type { MessageBody } from "../../../src/bot/out/slack-writer.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import { channelId, messageTs, type PersonId, personId, type TenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { CallApprovalRepository } from "../../../src/store/repositories/call-approvals.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../../fakes/test-database.ts";

const alice = personId("U_ALICE");
const bob = personId("U_BOB");
const never = new AbortController().signal;

const call: CallToAllow = {
  ...{ tool: "tracker__create_issue", title: "Tracker: create_issue", server: "Tracker", effect: "side-effect", fingerprint: "f1" },
  ...{ arguments: '{"title":"Fix it"}', mayRemember: false, confidential: false },
};

interface Posted {
  readonly channel: string;
  readonly thread: string | undefined;
  body: MessageBody;
  /** Seen by one person alone. */
  readonly to?: string;
}

/** A Slack that keeps what was posted, with each message's latest content. */
function slack() {
  const posted: Posted[] = [];
  const opened: ModalView[] = [];
  const side: CardSlack = {
    writer: {
      post: async (channel, thread, content) => {
        const body = content();
        if (body) posted.push({ channel, thread, body });
        return messageTs(String(posted.length));
      },
      update: async (_channel, ts, content) => {
        const message = posted[Number(ts) - 1];
        const body = content();
        if (message && body) message.body = body;
        return true;
      },
      postEphemeral: async (channel, person, body, thread) => void posted.push({ channel, thread, body, to: person }),
    },
    directory: { directMessage: async (person) => channelId(`D_${person}`), person: async () => undefined },
    views: {
      open: async (_trigger, view) => {
        checkView(JSON.parse(JSON.stringify(view)), "modal");
        opened.push(view);
        return { id: "V1", hash: "h" };
      },
    },
  };
  return { side, posted, opened };
}

const buttonsOf = (body: MessageBody | undefined) =>
  (body?.blocks ?? []).flatMap((block) => (block.type === "actions" ? block.elements : [])) as { action_id: string; value: string }[];

describe.each(testDatabases)("a call that needs a click, on the %s database", (kind) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(kind);
  });
  afterAll(() => test.close());

  let counter = 0;

  /** One workspace with its desk; `desk()` makes another process's. */
  async function workspace() {
    const tenant = await test.addTenant();
    const { side, posted, opened } = slack();
    const calls: CallApprovals = new CallApprovalRepository(tenant, test.database.forTenant(tenant));
    const desk = () =>
      new ApprovalDesk({
        callsOf: (id) => (id === tenant ? calls : new CallApprovalRepository(id, test.database.forTenant(id))),
        slackOf: async () => side,
        clock: systemClock,
        log: silentLogger,
      });
    return { tenant, posted, opened, desk, calls };
  }

  const questionIn = (tenant: TenantId, more: Partial<Question> = {}): Question => ({
    ...{ tenant, person: alice, channel: channelId("C1"), thread: messageTs("1.0"), text: "Please." },
    message: messageTs(`2.${++counter}`),
    ...more,
  });

  /** Waits for the card, then has somebody click. */
  async function clicked(desk: ApprovalDesk, tenant: TenantId, posted: readonly Posted[], decision: Decision, person: PersonId = alice) {
    const card = await until(() => posted.findLast(({ body }) => buttonsOf(body).length > 0));
    const id = buttonsOf(card.body)[0]?.value ?? "";
    await desk.clicked({ tenant, id, person, decision, channel: channelId(card.channel) });
    return id;
  }

  async function until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await systemClock.sleep(5);
    }
  }

  const permitted = (desk: ApprovalDesk, question: Question, more: Partial<CallToAllow> = {}, signal = never): Promise<Permission> =>
    desk.forTenant(question.tenant).ask(question, { ...call, ...more }, signal, () => undefined);

  /** The same for a call that begins at once when it may. */
  async function asked(...given: Parameters<typeof permitted>): Promise<Permission> {
    const permission = await permitted(...given);
    return permission.verdict === "allowed" && !(await permission.begin()) ? { verdict: "running" } : permission;
  }

  it("shows the exact arguments, waits, and runs once it is allowed", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    await clicked(here, tenant, posted, "once");
    expect((await permission).verdict).toBe("allowed");
    await here.drained();
    expect(posted).toHaveLength(1);
    expect(JSON.stringify(posted[0]?.body)).not.toContain("Fix it");
    expect(posted[0]?.body.text).toContain("allowed a call");
  });

  it("whose answer was stopped while it waited is put to its asker again when the question is asked again; the old card is dead", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const question = questionIn(tenant);
    const stop = new AbortController();
    const stopped = asked(here, question, {}, stop.signal).catch(() => "stopped");
    const first = await until(() => posted.findLast(({ body }) => buttonsOf(body).length > 0));
    const old = buttonsOf(first.body)[0]?.value ?? "";
    stop.abort(new Error("stopped"));
    await stopped;
    await here.drained();
    posted.length = 0;
    const again = asked(here, question);
    await until(() => posted.findLast(({ body }) => buttonsOf(body).length > 0));
    await here.clicked({ tenant, id: old, person: alice, decision: "once", channel: channelId("C1") });
    await clicked(here, tenant, posted, "once");
    expect((await again).verdict).toBe("allowed");
  });

  describe("that its asker edits", () => {
    const check = (params: unknown) => (typeof (params as { title?: unknown }).title === "string" ? undefined : "title must be string.");
    /** The card's id, once the modal was opened from it. */
    async function editing(here: ApprovalDesk, tenant: TenantId, posted: readonly Posted[], person = alice) {
      const card = await until(() => posted.findLast(({ body }) => buttonsOf(body).some(({ action_id }) => action_id === "call_edit")));
      const id = buttonsOf(card.body)[0]?.value ?? "";
      await here.editing({ tenant, id, person, channel: channelId("C1"), trigger: "1.2.3" });
      await here.drained();
      return id;
    }
    const whole = (json: string) => new Map([["arguments", json]]);

    it("runs with exactly what they made of it, once, and the card says that it was changed", async () => {
      const { tenant, posted, opened, desk } = await workspace();
      const here = desk();
      const question = questionIn(tenant);
      const permission = permitted(here, question, { check });
      const id = await editing(here, tenant, posted);
      expect(JSON.stringify(opened)).toContain(JSON.stringify('{\n  "title": "Fix it"\n}').slice(1, -1));
      expect(await here.edited({ tenant, id, person: alice, entered: whole('{ "title": "Mend it" }') })).toEqual({});
      const given = await permission;
      expect(given).toMatchObject({ verdict: "allowed", edited: '{"title":"Mend it"}' });
      expect(given.verdict === "allowed" && [await given.begin(), await given.begin()]).toEqual([true, false]);
      expect((await permitted(here, question)).verdict).toBe("running");
      await here.drained();
      expect(posted[0]?.body.text).toMatch(/allowed a call.*The arguments were changed before\./);
      expect(await here.edited({ tenant, id, person: alice, entered: whole('{"title":"Again"}') })).toEqual({
        arguments: "This was decided before.",
      });
    });

    it("stays as it was while what they typed is no JSON or does not fit the tool", async () => {
      const { tenant, posted, desk } = await workspace();
      const here = desk();
      const permission = permitted(here, questionIn(tenant), { check });
      const id = await editing(here, tenant, posted);
      for (const [typed, said] of [
        ["{title}", "This is no JSON object."],
        ["[]", "This is no JSON object."],
        ['{"title":7}', "This does not fit the tool: title must be string."],
      ] as const)
        expect(await here.edited({ tenant, id, person: alice, entered: whole(typed) })).toEqual({ arguments: said });
      await clicked(here, tenant, posted, "once");
      expect(await permission).not.toHaveProperty("edited");
    });

    it("T28: is nobody else's to edit, however they come by its id", async () => {
      const { tenant, posted, opened, desk } = await workspace();
      const [here, other] = [desk(), (await workspace()).tenant];
      const permission = permitted(here, questionIn(tenant));
      const id = await editing(here, tenant, posted, bob);
      expect(opened).toEqual([]);
      expect(posted.at(-1)).toMatchObject({ to: bob, body: { text: "Only the person who asked can decide this." } });
      const evil = whole('{"title":"Evil"}');
      expect(await here.edited({ tenant, id, person: bob, entered: evil })).toEqual({
        arguments: "Only the person who asked can decide this.",
      });
      expect(await here.edited({ tenant: other, id, person: alice, entered: evil })).toEqual({
        arguments: "This card is not valid any more.",
      });
      await clicked(here, tenant, posted, "deny");
      expect((await permission).verdict).toBe("denied");
    });

    it("keeps what they typed when another process takes the answer over", async () => {
      const { tenant, posted, desk } = await workspace();
      const [one, two] = [desk(), desk()];
      const question = questionIn(tenant);
      const handover = new AbortController();
      const first = permitted(one, question, {}, handover.signal).catch(() => "handed over");
      const id = await editing(one, tenant, posted);
      handover.abort(new AppError("LEASE_LOST"));
      await first;
      expect(await two.edited({ tenant, id, person: alice, entered: whole('{"title":"Mend it"}') })).toEqual({});
      const given = await permitted(two, question);
      expect(given).toMatchObject({ verdict: "allowed", edited: '{"title":"Mend it"}' });
      expect(given.verdict === "allowed" && (await given.begin())).toBe(true);
    });

    it("is filled in where a server asks for something; what is needed and missing cannot be allowed as it is", async () => {
      const { tenant, posted, opened, desk } = await workspace();
      const here = desk();
      const form = [
        { name: "title", label: "Title", kind: "text", required: true },
        { name: "points", label: "Points", kind: "integer", required: false },
        { name: "urgent", label: "Urgent?", kind: "yes-no", required: true },
        { name: "team", label: "Team", kind: "choice", required: false, options: ["red", "blue"] },
      ] as const;
      const permission = permitted(here, questionIn(tenant), { form, arguments: '{"urgent":true}' });
      const id = await editing(here, tenant, posted);
      expect(buttonsOf(posted[0]?.body).map(({ action_id }) => action_id)).toEqual(["call_edit", "call_deny"]);
      expect(opened[0]?.blocks.filter(({ type }) => type === "input")).toHaveLength(4);
      const entered = (title: string, points: string) =>
        new Map(Object.entries({ field_0: title, field_1: points, field_2: "1", field_3: "1" }));
      const send = (title: string, points: string) => here.edited({ tenant, id, person: alice, entered: entered(title, points) });
      expect(await send("", "many")).toEqual({ field_0: "This is needed.", field_1: "This does not fit." });
      expect(await send("Fix", "")).toEqual({});
      expect(await permission).toMatchObject({ edited: '{"team":"blue","title":"Fix","urgent":false}' });
    });
  });

  it("is not made when its asker says no, and cannot be allowed afterwards", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const question = questionIn(tenant);
    const permission = asked(here, question);
    const id = await clicked(here, tenant, posted, "deny");
    expect((await permission).verdict).toBe("denied");
    await here.clicked({ tenant, id, person: alice, decision: "once", channel: channelId("C1") });
    expect((await asked(here, question)).verdict).toBe("denied");
    await here.drained();
    expect(posted.at(-1)).toMatchObject({ to: alice, body: { text: "This was decided before." } });
  });

  it("T28, T33: counts no click but the asker's: not a colleague's, nor the same id's in another workspace", async () => {
    const { tenant, posted, desk } = await workspace();
    const other = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    const id = await clicked(here, tenant, posted, "once", bob);
    await here.clicked({ tenant: other.tenant, id, person: alice, decision: "once", channel: channelId("C1") });
    await here.clicked({ tenant, id: "not-an-id", person: alice, decision: "once", channel: channelId("C1") });
    const calls = new CallApprovalRepository(tenant, test.database.forTenant(tenant));
    expect((await calls.look(id))?.state).toBe("waiting");
    await here.clicked({ tenant, id, person: alice, decision: "once", channel: channelId("C1") });
    expect((await permission).verdict).toBe("allowed");
    await here.drained();
    expect(posted.filter(({ to }) => to === bob).map(({ body }) => body.text)).toEqual(["Only the person who asked can decide this."]);
  });

  it("T28: runs once, whether twenty clicks come at once or three processes wait for it", async () => {
    const { tenant, posted, desk } = await workspace();
    const processes = [desk(), desk(), desk()];
    const question = questionIn(tenant);
    const first = asked(processes[0] as ApprovalDesk, question);
    const card = await until(() => posted[0]);
    const rest = processes.slice(1).map((process) => asked(process, question));
    const id = buttonsOf(card.body)[0]?.value ?? "";
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        processes[at % 3]?.clicked({ tenant, id, person: alice, decision: at % 2 ? "once" : "thread", channel: channelId("C1") }),
      ),
    );
    const verdicts = (await Promise.all([first, ...rest])).map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === "allowed")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "running")).toHaveLength(2);
  });

  it("F07: one that was running when the process died is not run again: its outcome is not known", async () => {
    const { tenant, posted, desk } = await workspace();
    const dead = desk();
    const question = questionIn(tenant);
    const permission = asked(dead, question);
    await clicked(dead, tenant, posted, "once");
    await permission;
    // The process dies here: `finished` is never called, and another one works on the question.
    expect((await asked(desk(), question)).verdict).toBe("running");
  });

  it("F07: one that was allowed but had not begun when the process died is made by the next one, without another card", async () => {
    const { tenant, posted, desk } = await workspace();
    const dead = desk();
    const question = questionIn(tenant);
    const permission = permitted(dead, question);
    await clicked(dead, tenant, posted, "once");
    expect((await permission).verdict).toBe("allowed");
    await dead.drained();
    expect((await asked(desk(), question)).verdict).toBe("allowed");
    expect(posted).toHaveLength(1);
  });

  it("F07: one that had run is not run again either; another question may ask for the same", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const question = questionIn(tenant);
    const permission = asked(here, question);
    await clicked(here, tenant, posted, "once");
    const allowed = await permission;
    if (allowed.verdict !== "allowed") throw new Error("not allowed");
    await allowed.finished();
    expect((await asked(desk(), question)).verdict).toBe("done");
    await here.drained();
    const again = asked(here, questionIn(tenant));
    await clicked(here, tenant, posted, "once");
    expect((await again).verdict).toBe("allowed");
  });

  it("is asked for once when another process takes the question over before the click", async () => {
    const { tenant, posted, desk } = await workspace();
    const question = questionIn(tenant);
    const handOver = new AbortController();
    const leaving = asked(desk(), question, {}, handOver.signal);
    await until(() => posted[0]);
    handOver.abort(new AppError("LEASE_LOST"));
    await expect(leaving).rejects.toMatchObject({ code: "LEASE_LOST" });
    const next = desk();
    const permission = asked(next, question);
    await clicked(next, tenant, posted, "once");
    expect((await permission).verdict).toBe("allowed");
    expect(posted).toHaveLength(1);
  });

  it("cannot be allowed any more once the answer was stopped", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const stop = new AbortController();
    const permission = asked(here, questionIn(tenant), {}, stop.signal);
    const card = await until(() => posted[0]);
    const id = buttonsOf(card.body)[0]?.value ?? "";
    stop.abort(new Error("stopped"));
    await expect(permission).rejects.toThrow("stopped");
    await here.drained();
    expect(buttonsOf(card.body)).toEqual([]);
    await here.clicked({ tenant, id, person: alice, decision: "once", channel: channelId("C1") });
    expect((await new CallApprovalRepository(tenant, test.database.forTenant(tenant)).look(id))?.state).toBe("expired");
  });

  it("is told as expired when what it was asked in the middle of is over: nobody has stopped anything", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const over = new AbortController();
    const permission = asked(here, questionIn(tenant), { about: "question", form: [] }, over.signal);
    const card = await until(() => posted[0]);
    over.abort(new DOMException("The call is over.", "TimeoutError"));
    await expect(permission).rejects.toThrow("over");
    await here.drained();
    expect(card.body.text).toBe("Nobody decided in time, so nothing was sent: Tracker: create_issue.");
  });

  it("leaves nothing behind when what is stored cannot be read: what is typed later is nobody's to check", async () => {
    const { tenant, posted, desk, calls } = await workspace();
    const here = desk();
    let checked = 0;
    const check = () => {
      checked += 1;
      return "It does not fit.";
    };
    const permission = permitted(here, questionIn(tenant), { check });
    const card = await until(() => posted[0]);
    const id = buttonsOf(card.body)[0]?.value ?? "";
    const typed = () => here.edited({ tenant, id, person: alice, entered: new Map([["arguments", '{"title":"Mend it"}']]) });
    expect(await typed()).toEqual({ arguments: expect.stringContaining("It does not fit.") });
    calls.look = () => Promise.reject(new Error("The database is away."));
    await expect(permission).rejects.toThrow("away");
    expect(await typed()).toEqual({});
    expect(checked).toBe(1);
  });

  it("T28: expires after ten minutes, is told as expired, and a late click does nothing", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    const card = await until(() => posted[0]);
    const id = buttonsOf(card.body)[0]?.value ?? "";
    const left = await test.asOwner<{ ms: number }>(
      `SELECT extract(epoch FROM expires_at - asked_at) * 1000 AS ms FROM tool_approvals WHERE id = '${id}'`,
    );
    expect(Number(left[0]?.ms)).toBeGreaterThanOrEqual(599_000);
    expect(Number(left[0]?.ms)).toBeLessThan(660_000);
    await test.asOwner(`UPDATE tool_approvals SET expires_at = clock_timestamp() - interval '1 second' WHERE id = '${id}'`);
    await here.clicked({ tenant, id, person: alice, decision: "once", channel: channelId("C1") });
    expect((await permission).verdict).toBe("expired");
    await here.drained();
    expect(card.body.text).toContain("in time");
    expect(posted.at(-1)?.body.text).toContain("has expired");
  });

  it("T28: is refused when its arguments were changed after they were shown", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    const card = await until(() => posted[0]);
    const id = buttonsOf(card.body)[0]?.value ?? "";
    await test.asOwner(`UPDATE tool_approvals SET arguments = '{"title":"Give Mallory the keys"}' WHERE id = '${id}'`);
    await clicked(here, tenant, posted, "once");
    expect((await permission).verdict).not.toBe("allowed");
  });

  it("T28: is refused when what its asker made of it was changed afterwards", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = permitted(here, questionIn(tenant));
    const card = await until(() => posted[0]);
    const id = buttonsOf(card.body)[0]?.value ?? "";
    expect(await here.edited({ tenant, id, person: alice, entered: new Map([["arguments", '{"title":"Mend it"}']]) })).toEqual({});
    const given = await permission;
    await test.asOwner(`UPDATE tool_approvals SET edited_arguments = '{"title":"Give Mallory the keys"}' WHERE id = '${id}'`);
    expect(given.verdict === "allowed" && (await given.begin())).toBe(false);
  });

  it("counts for the rest of the thread where it only reads outside, for this person and this form of the tool alone", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const reads = { effect: "read-outside", mayRemember: true } as const;
    const permission = asked(here, questionIn(tenant), reads);
    await clicked(here, tenant, posted, "thread");
    await permission;
    await here.drained();
    expect((await asked(here, questionIn(tenant), { ...reads, arguments: '{"title":"Other"}' })).verdict).toBe("allowed");
    expect(posted).toHaveLength(1);

    for (const [more, changed] of [
      [{ person: bob }, {}],
      [{ thread: messageTs("9.9") }, {}],
      [{}, { fingerprint: "f2" }],
      [{}, { tool: "tracker__delete_issue" }],
    ] as const) {
      const cards = posted.length;
      const waits = asked(here, questionIn(tenant, more), { ...reads, ...changed });
      await until(() => posted[cards]);
      await clicked(here, tenant, posted, "deny", "person" in more ? more.person : alice);
      expect((await waits).verdict).toBe("denied");
      await here.drained();
    }
  });

  it("never counts for a thread where it changes something, whatever a forged click says", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    await clicked(here, tenant, posted, "thread");
    expect((await permission).verdict).toBe("allowed");
    await here.drained();
    expect(await test.asOwner(`SELECT tool FROM thread_permissions WHERE tenant_id = '${tenant}'`)).toEqual([]);
    const next = asked(here, questionIn(tenant));
    await until(() => posted[1]);
    await clicked(here, tenant, posted, "deny");
    expect((await next).verdict).toBe("denied");
  });

  it("hides its arguments from onlookers when private text was read: the card goes to the asker alone", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant), { confidential: true });
    await clicked(here, tenant, posted, "once");
    await permission;
    await here.drained();
    expect(posted.map(({ channel }) => channel)).toEqual(["D_U_ALICE", "C1"]);
    expect(JSON.stringify(posted.filter(({ channel }) => channel === "C1"))).not.toContain("Fix it");
  });

  it("T28: cannot be allowed when its arguments cannot be seen whole", async () => {
    const { tenant, posted, desk } = await workspace();
    expect((await asked(desk(), questionIn(tenant), { arguments: JSON.stringify({ text: "x".repeat(20_000) }) })).verdict).toBe("too-long");
    expect(posted).toEqual([]);
  });

  it("is not made where nobody can be asked: outside of Slack", async () => {
    const { tenant, desk } = await workspace();
    const { message: _none, ...question } = questionIn(tenant);
    expect((await asked(desk(), question)).verdict).toBe("nobody");
  });

  it("T28: notes each decision and each refused click in the audit log", async () => {
    const { tenant, posted, desk } = await workspace();
    const here = desk();
    const permission = asked(here, questionIn(tenant));
    await clicked(here, tenant, posted, "once", bob);
    await clicked(here, tenant, posted, "once");
    await permission;
    await here.drained();
    const lines = await test.asOwner(
      `SELECT actor, action, subject, outcome FROM audit_log WHERE tenant_id = '${tenant}' ORDER BY noted_at`,
    );
    expect(lines).toEqual([
      { actor: bob, action: "call-allow", subject: call.tool, outcome: "refused" },
      { actor: alice, action: "call-allow", subject: call.tool, outcome: "done" },
    ]);
  });
});
