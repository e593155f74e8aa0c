import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { KnownBlock, ModalView } from "@slack/types";
import type { ChannelTemplate } from "../../../src/agent/templates/template.ts";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { messageTs, newId } from "../../../src/core/ids.ts";
import { TemplateRepository } from "../../../src/store/repositories/templates.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, cellar, hall, member, owner, toolNamed } from "./surface-bench.ts";

const support: ChannelTemplate = {
  ...{ name: "support", title: "Support desk", instructions: "Ask back.", tools: { web_search: "locked" }, otherTools: "on" },
  ...{ reply: "thread", suggestedPrompts: ["Which plans are there?"] },
};

/** What Slack sends of a form that nobody has changed. */
function asShown(view: ModalView): Map<string, string> {
  const entered = new Map<string, string>();
  for (const block of view.blocks as KnownBlock[]) {
    if (block.type !== "input") continue;
    const element = block.element as unknown as Record<string, unknown>;
    const one = (element.initial_option as { value: string } | undefined)?.value;
    const several = (element.initial_options as { value: string }[] | undefined)?.map(({ value }) => value).join("\n");
    entered.set(String(element.action_id), String(element.initial_value ?? one ?? several ?? ""));
  }
  return entered;
}

describe.each(testDatabases)("templates in Slack on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(async () => {
    bench.models = [];
    bench.tools = [toolNamed("query_documents"), toolNamed("web_search", { annotations: { title: "Web search" } })];
    await bench.reset();
  });

  const templates = () => new TemplateRepository(bench.tenant, bench.db.database.forTenant(bench.tenant));
  const top = () => bench.shown.at(-1)?.view as ModalView;
  /** Clicks in the modal that is open. */
  const inModal = (who: typeof admin, action: string, value = "") => bench.click(who, action, { view: bench.top, value });
  /** Sends the form that is open, with some fields changed. */
  const send = (who: typeof admin, changes: Readonly<Record<string, string>>, more: Partial<Click> = {}) =>
    bench.submit(who, "template_save", { view: bench.top, entered: new Map([...asShown(top()), ...Object.entries(changes)]), ...more });
  async function openForm(name: string): Promise<void> {
    await bench.click(admin, "show_templates", { at: { channel: hall } });
    await inModal(admin, "template_open", name);
    await inModal(admin, "template_edit", name);
  }
  test("an admin writes a workspace's first template from App Home; wrong fields are told one by one, and nothing is stored", async () => {
    await bench.click(admin, "template_new", { view: { id: "V1", hash: "h", kind: "home", metadata: "{}" } });
    const wrong = await send(admin, {
      name: "Not a name",
      title: "",
      temperature: "warm",
      prompts: "a\nb\nc\nd\ne",
      on: "web_search",
      off: "web_search",
    });
    expect(
      Object.keys(wrong)
        .map((block) => block.split(" ")[0])
        .sort(),
    ).toEqual(["name", "off", "on", "prompts", "temperature", "title"]);
    expect((await templates().list()).map(({ version }) => version)).toEqual([0, 0]);

    const filled = {
      name: "support",
      title: "Support desk",
      instructions_0: "Ask back.",
      locked: "web_search",
      prompts: "Which plans are there?",
    };
    expect(await send(admin, filled)).toContain("Saved as version 1");
    expect(await templates().find("support")).toEqual({ ...support, version: 1 });
    expect(await bench.audit()).toEqual([`${admin.id} template-apply support done`]);
  });

  test("what a form shows is the whole template: sent unchanged, nothing changes, however long its instructions are", async () => {
    const instructions = Array.from({ length: 400 }, (_, at) => `Rule ${at}: be kind.`).join("\n");
    await templates().apply(
      { ...support, instructions, temperature: 0.2, tools: { "Web-Search": "off", query_documents: "on" } },
      "operator",
    );
    await openForm("support");
    expect(await send(admin, {})).toMatch(/Saved as version 2/);
    // Spelt as the tool is called now; all else is the same.
    expect(await templates().find("support")).toEqual({
      ...{ ...support, instructions, temperature: 0.2, version: 2 },
      tools: { web_search: "off", query_documents: "on" },
    });
    await inModal(admin, "template_edit", "support");
    expect(await send(admin, {})).toContain("Nothing is different");
  });

  test("whoever was slower overwrites nothing: the form comes back with what was typed, and says so", async () => {
    await templates().apply(support, "operator");
    await openForm("support");
    await templates().apply({ ...support, title: "Somebody else's" }, "operator");
    expect(await send(admin, { title: "Mine" })).toContain("Somebody has saved version 2 meanwhile");
    expect((await templates().find("support"))?.title).toBe("Somebody else's");
    expect(asShown(top()).get("title")).toBe("Mine");
    expect(await send(admin, {})).toContain("Saved as version 3");
    expect(await bench.audit()).toContain(`${admin.id} template-apply support refused`);
  });

  test("a new template never takes the place of another one of its name", async () => {
    await templates().apply(support, "operator");
    await bench.click(admin, "template_new", { view: { id: "V1", hash: "h", kind: "home", metadata: "{}" } });
    expect(await send(admin, { name: "support", title: "Mine" })).toContain("Another template has this name");
    expect((await templates().find("support"))?.title).toBe("Support desk");
  });

  test("a form that Slack delivers twice is stored once", async () => {
    await templates().apply(support, "operator");
    await openForm("support");
    const [form, trigger] = [{ view: bench.top, entered: new Map([...asShown(top()), ["title", "New"]]) }, newId()];
    await bench.submit(admin, "template_save", { ...form, trigger });
    await bench.submit(admin, "template_save", { ...form, trigger });
    expect((await templates().find("support"))?.version).toBe(2);
    expect(await bench.audit()).toHaveLength(2);
  });

  test("an admin compares an older version and rolls back to it, as a further version", async () => {
    await templates().apply(support, "operator");
    await templates().apply({ ...support, title: "Changed" }, "operator");
    await bench.click(admin, "show_templates");
    await inModal(admin, "template_open", "support");
    expect(await inModal(admin, "template_versions", "0")).toContain("Version 2");
    expect(await inModal(admin, "template_compare", "1")).toMatch(/- title: Support desk\n\+ title: Changed/);
    expect(await inModal(admin, "template_roll_back", "1")).toContain("Version 3 says what version 1 said");
    expect(await templates().find("support")).toEqual({ ...support, version: 3 });
    expect((await bench.audit()).at(-1)).toBe(`${admin.id} template-roll-back support done`);
  });

  test("no way back to a version whose model the operator has taken away", async () => {
    await templates().apply({ ...support, model: "gone" }, "operator");
    await templates().apply(support, "operator");
    await bench.click(admin, "show_templates");
    await inModal(admin, "template_open", "support");
    expect(await inModal(admin, "template_roll_back", "1")).toContain("This model is not allowed here");
    expect((await templates().find("support"))?.version).toBe(2);
  });

  test("a preview says what would be on, and the channel's last questions; a model answers only on a click, and only for the admin", async () => {
    await bench.ask("Which plans are there?");
    await openForm("general");
    const before = bench.shown.length;
    const preview = await bench.click(admin, "template_preview_draft", {
      view: bench.top,
      entered: new Map([...asShown(top()), ["title", "Draft"], ["locked", "web_search"]]),
    });
    // On a busy machine a placeholder comes first, which is then updated.
    expect(bench.shown[before]?.how).toBe("push");
    expect(preview).toMatch(/\*Draft\* in <#C_HALL>/);
    expect(preview).toMatch(/Not available\*: `web_search`/);
    expect(preview).toMatch(/Less than now\*: `web_search`/);
    expect(preview).toContain("Which plans are there?");
    expect(bench.tried).toEqual([]);
    expect((await templates().find("general"))?.version).toBe(0);

    const question = (top().blocks as { block_id?: string }[]).flatMap(({ block_id }) => /^question (.+)$/.exec(block_id ?? "")?.[1] ?? []);
    expect(await inModal(admin, "template_try", question[0])).toContain("As Draft says.");
    expect(bench.tried).toEqual([{ question: "Which plans are there?", template: expect.objectContaining({ title: "Draft" }) }]);
    expect(bench.told).toEqual([]);
  });

  test("a preview shows nothing of a channel that its admin does not read; its owner may look", async () => {
    await openForm("general");
    await bench.click(admin, "template_preview_draft", { view: bench.top, entered: asShown(top()) });
    expect(await inModal(admin, "preview_channel", cellar)).toContain("not yours");
    await bench.click(owner, "show_templates");
    await inModal(owner, "template_open", "general");
    await inModal(owner, "template_preview", "general");
    expect(await inModal(owner, "preview_channel", cellar)).toMatch(/in <#C_CELLAR>/);
  });

  test("a member starts a thread from a template; it holds in that thread, and takes away only", async () => {
    await templates().apply(support, "operator");
    await bench.click(member, "show_templates", { at: { channel: hall } });
    await inModal(member, "template_open", "support");
    await inModal(member, "template_start", "support");
    const form = { view: bench.top, entered: new Map([["question", " "]]) };
    expect(await bench.submit(member, "thread_start", form)).toEqual({ question: "Write a question." });
    expect(await bench.submit(member, "thread_start", { ...form, entered: new Map([["question", "Which plans?"]]) })).toContain("is there");
    expect(bench.asked).toEqual([expect.objectContaining({ channel: hall, person: member.id, text: "Which plans?", thread: "9.000001" })]);

    const there = await bench.choices().read(hall, member.id, messageTs("9.000001"));
    expect([there.template.has("query_documents"), there.lockedByTemplate?.has("web_search")]).toEqual([true, true]);
    expect((await bench.choices().read(hall, member.id)).lockedByTemplate).toBeUndefined();
    expect((await templates().inChannel(hall, "9.000001"))?.title).toBe("Support desk");
    expect(await templates().inChannel(hall)).toBeUndefined();
    expect(await bench.audit()).toContain(`${member.id} template-start support C_HALL 9.000001 done`);
  });

  test("a thread's template brings nothing back that the channel's keeps out, and the channel's instructions stay", async () => {
    await templates().apply(
      { ...support, instructions: "Never talk of prices.", otherTools: "off", tools: { web_search: "locked" } },
      "operator",
    );
    const desk = await bench.desk(bench.tenant);
    await desk.commands.useTemplate({ key: newId(), attempts: [] }, hall, "support");
    await desk.templateDesk.startThread({ key: newId(), attempts: [] }, hall, messageTs("9.000001"), "general");
    const there = await bench.choices().read(hall, member.id, messageTs("9.000001"));
    expect([there.template.size, there.lockedByTemplate?.has("web_search")]).toEqual([0, true]);
    expect((await templates().inChannel(hall, "9.000001"))?.instructions).toContain("Never talk of prices.");
  });

  test("a form holds more tools than one of Slack's lists takes", async () => {
    bench.tools = Array.from({ length: 250 }, (_, at) => toolNamed(`tool_${String(at).padStart(3, "0")}`));
    await openForm("general");
    expect(await send(admin, { on: "tool_000\ntool_249" })).toContain("Saved as version 1");
    expect((await templates().find("general"))?.tools).toEqual({ tool_000: "on", tool_249: "on" });
  });

  test("nobody but an admin stores, rolls back or gives out a template, whatever they send; each attempt is noted", async () => {
    await templates().apply(support, "operator");
    await templates().apply({ ...support, title: "Changed" }, "operator");
    const view = {
      ...{ id: "V1", hash: "h", kind: "modal" as const },
      metadata: JSON.stringify({ person: member.id, page: 0, name: "support", onto: 2, channel: hall }),
    };
    const entered = new Map([
      ["title", "Mine"],
      ["others", "on"],
      ["reply", "always"],
    ]);
    expect(await bench.submit(member, "template_save", { view, entered })).toContain("not yours");
    await bench.click(member, "template_roll_back", { view, value: "1" });
    await bench.click(member, "template_use", { view, value: "support" });
    expect(await templates().find("support")).toEqual({ ...support, title: "Changed", version: 2 });
    expect(await templates().inChannel(hall)).toBeUndefined();
    expect((await bench.audit()).filter((line) => line.startsWith(member.id)).sort()).toEqual([
      `${member.id} template-apply support refused`,
      `${member.id} template-roll-back support refused`,
      `${member.id} template-use support C_HALL refused`,
    ]);
  });

  test("another person's modal, forged or passed on, shows and changes nothing", async () => {
    const view = {
      ...{ id: "V1", hash: "h", kind: "modal" as const },
      metadata: JSON.stringify({ person: owner.id, page: 0, name: "support", onto: 0 }),
    };
    const entered = new Map([
      ["title", "Mine"],
      ["others", "on"],
      ["reply", "always"],
    ]);
    expect(await bench.submit(admin, "template_save", { view, entered })).toContain("not yours");
    expect(await bench.click(admin, "template_edit", { view, value: "general" })).not.toContain("Instructions");
    expect(await templates().find("support")).toBeUndefined();
  });
});
