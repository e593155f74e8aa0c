import type { AgentEvent } from "../../../src/agent/events.ts";
import { OfflineAnswerer } from "../../../src/agent/model/offline.ts";
import type { ThreadMessage } from "../../../src/agent/ports.ts";
import { messageTs, tenantId } from "../../../src/core/ids.ts";
import { failure } from "../../../src/plugins/define.ts";
import { plugins } from "../../../src/plugins/index.ts";
import { MemoryLibrary } from "../../fakes/memory-library.ts";
import { servicesWith } from "../../fakes/plugin-services.ts";
import { agent, alice, tool } from "../setup.ts";
import { collect } from "./collect.ts";
import { handbook } from "./handbook.ts";

const library = new MemoryLibrary().add(tenantId("t1"), ...handbook);
const tools = plugins(servicesWith(library)).flatMap(({ tools }) => tools);

/** What somebody in #general is told, through the same loop, tools and permissions as with any model. */
async function ask(question: string, { earlier = [] as readonly string[], offered = tools } = {}) {
  const history = earlier.flatMap((text, at): ThreadMessage[] => [
    { ts: messageTs(`${at}.1`), author: "person", person: alice.id, text },
    { ts: messageTs(`${at}.2`), author: "assistant", text: "An answer." },
  ]);
  const made = agent({ model: new OfflineAnswerer(), tools: offered, history });
  const answer = await made.ask({ text: question, thread: messageTs("0.1"), message: messageTs("99.0") });
  return { ...answer, called: answer.tools.map(({ name }) => name), events: made.events };
}

describe("questions the documents answer", () => {
  test.each([
    ["What is our parental leave?", "20 weeks of parental leave at full pay", 3],
    ["How many days of annual leave do I have?", "29 days of annual leave", 2],
    ["how much vacation do we get", "29 days", 2],
    ["Can I carry over unused holidays?", "Up to 6 unused days", 2],
    ["When do I need a doctor's certificate?", "from the third day", 2],
    ["What do I do when I am sick?", "tell your lead before 09:00", 2],
    ["How long is the working week?", "38 hours", 1],
    ["What is the core time?", "09:30 to 14:30", 1],
    ["How large is the learning budget?", "1,200 euros", 4],
    ["Does the company pay into a pension?", "6 % of your salary", 4],
    ["Who leads the people team?", "Nora Lindqvist", 4],
    ["What may a hotel in Zurich cost?", "180 euros", 1],
    ["How do I hand in receipts?", "within 45 days", 2],
    ["What is paid for meals?", "28 euros a day", 2],
    ["My laptop was stolen, what now?", "+47 555 0100", 1],
    ["Who do I call when I lost my laptop?", "+47 555 0100", 1],
    ["How fast is the response when the website is down?", "15 minutes", 1],
    ["How many characters must passwords have?", "at least 14 characters", 1],
    ["Are short flights reimbursed?", "not reimbursed", 1],
  ])("%s", async (question, fact, page) => {
    const { text, citations, status } = await ask(question);
    expect(status).toBe("answered");
    expect(text).toContain(fact);
    // A list carries its number behind its introduction, a sentence at its end.
    const at = text.indexOf(fact);
    const n = Number(/\[(\d+)\]/.exec(text.slice(at))?.[1] ?? [...text.slice(0, at).matchAll(/\[(\d+)\]/g)].at(-1)?.[1]);
    expect(citations.find((citation) => citation.n === n)?.source.page).toBe(page);
  });

  test("are answered in the documents' own sentences, labelled, each with its source, five at most", async () => {
    const { text } = await ask("What is our parental leave?");
    const [label = "", ...rest] = text.split("\n\n");
    expect(label).toBe("From your documents:");
    const pages = handbook
      .flatMap(({ pages }) => pages)
      .join(" ")
      .replace(/\s+/g, " ");
    const sentences = rest.join(" ").match(/.+?\[\d+\]/g) ?? [];
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.length).toBeLessThanOrEqual(5);
    for (const sentence of sentences) expect(pages).toContain(sentence.replace(/ \[\d+\]$/, "").trim());
  });

  test("numbers in brackets of the document itself are no sources", async () => {
    const { text, citations } = await ask("What may a hotel in Zurich cost?");
    expect(text).toContain("(see (12))");
    expect(citations.every(({ n }) => n !== 12)).toBe(true);
  });

  test("page numbers are not quoted, and a list keeps its introduction", async () => {
    expect((await ask("How long is the working week?")).text).not.toContain("1 / 4");
    expect((await ask("What benefits does the company offer?")).text).toContain("The company offers: [");
  });

  test("two searches at once, then the text around the best hit, then the answer in pieces", async () => {
    const { called, events } = await ask("What is our parental leave?");
    expect(called).toEqual(["query_documents", "document_full_text_search", "get_document_context"]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf("tool-end")).toBeGreaterThan(types.lastIndexOf("tool-start", types.indexOf("tool-end")));
    expect(types.slice(0, 4)).toEqual(["answer-start", "step-start", "tool-start", "tool-start"]);
    expect(events.filter((event: AgentEvent) => event.type === "text-delta").length).toBeGreaterThan(3);
  });
});

describe("questions the documents do not hold", () => {
  test.each([
    "What is the capital of France?",
    "Do we have a gym membership?",
    "What is the wifi password?",
    "Who is our chief executive?",
    "What is the policy on pets in the office?",
    "What is Bob's salary?",
    "asdf qwertz",
  ])("%s", async (question) => {
    const { text, citations, status } = await ask(question);
    expect(status).toBe("answered");
    expect(text).toContain("I found no answer to this");
    expect(text).toContain(question);
    expect(citations).toEqual([]);
  });

  test("what the audience may not see is not held either", async () => {
    const secret = new MemoryLibrary().add(tenantId("t1"), {
      title: "Board",
      grants: ["channel:C_BOARD"],
      pages: ["The merger closes on 4 June."],
    });
    const offered = plugins(servicesWith(secret)).flatMap(({ tools }) => tools);
    expect((await ask("When does the merger close?", { offered })).text).toContain("I found no answer");
    const open = new MemoryLibrary().add(tenantId("t1"), { title: "Board", grants: ["everyone"], pages: ["The merger closes on 4 June."] });
    expect(
      (await ask("When does the merger close?", { offered: plugins(servicesWith(open)).flatMap(({ tools }) => tools) })).text,
    ).toContain("4 June");
  });

  test("when the search is down, nothing is claimed about the documents", async () => {
    const offered = ["query_documents", "document_full_text_search"].map((name) => tool(name, async () => failure("DOWN", "down")));
    expect((await ask("What is our parental leave?", { offered })).text).toContain("I cannot tell");
  });

  test("when the search is switched off, it says so", async () => {
    expect((await ask("What is our parental leave?", { offered: [] })).text).toContain("not available here");
  });
});

describe("small talk calls no tool", () => {
  test.each(["hi", "Hello there!", "Good morning", "thanks", "Thank you so much!", "ok great", "thanks, that helps", "bye"])(
    "%s",
    async (question) => {
      const { called, text } = await ask(question);
      expect(called).toEqual([]);
      expect(text.length).toBeGreaterThan(3);
    },
  );

  test("asked what it can do, it names the tools of this place", async () => {
    expect((await ask("What can you do?")).text).toContain("search your team's documents");
    expect((await ask("what can you do", { offered: [] })).text).toContain("No tool is switched on");
  });

  test("a greeting before a question is a question", async () => {
    expect((await ask("Hi, how many days of annual leave do I have?")).text).toContain("29 days");
  });
});

describe("a thread", () => {
  test("a follow-up is understood with the question before it", async () => {
    expect((await ask("And how long before must I tell my lead?", { earlier: ["What is our parental leave?"] })).text).toContain(
      "ten weeks",
    );
    expect((await ask("Can it be split?", { earlier: ["What is our parental leave?"] })).text).toContain("split into two parts");
  });

  test("a new question is searched alone", async () => {
    const { text } = await ask("How large is the learning budget?", { earlier: ["What is our parental leave?"] });
    expect(text).toContain("1,200 euros");
    expect(text).not.toContain("20 weeks");
  });

  test("the first question is not joined with anything", async () => {
    expect((await ask("Can it be split?")).text).not.toContain("An answer.");
  });
});

test("asked for the documents, it lists them", async () => {
  const { text, called } = await ask("Which documents do you have?");
  expect(called).toEqual(["list_documents"]);
  for (const { title } of handbook) expect(text).toContain(title);
});

test("forbidden to call tools, it answers from what it has", async () => {
  const request = { system: "", messages: [{ role: "user", content: "What is our leave?" }], tools: [], toolChoice: "none" } as const;
  const { calls, text, end } = await collect(new OfflineAnswerer().stream(request, new AbortController().signal));
  expect(calls).toEqual([]);
  expect(text).not.toBe("");
  expect(end).toMatchObject({ type: "model-end", finish: "stop" });
});
