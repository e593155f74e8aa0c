import { AgentClient, type Answer } from "../../src/agent/client.ts";
import type { AgentEvent } from "../../src/agent/events.ts";
import { defaultLimits, type Limits } from "../../src/agent/limits.ts";
import type { Model } from "../../src/agent/model/model.ts";
import type { Question, TenantAgentPorts, ThreadMessage } from "../../src/agent/ports.ts";
import type { TraceRecord } from "../../src/agent/trace.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { tenantId } from "../../src/core/ids.ts";
import { type Logger, silentLogger } from "../../src/core/logger.ts";
import type { Person, Place } from "../../src/permissions/directory.ts";
import type { ToolChoices } from "../../src/permissions/enabled-tools.ts";
import type { Source, Tool, ToolContext, ToolResult } from "../../src/plugins/contract.ts";
import { text } from "../../src/plugins/define.ts";
import { person, place } from "../fakes/people.ts";

export const alice = person("alice");
export const general = place("general", "public");

export interface Setup {
  readonly model: Model;
  readonly tools?: readonly Tool[];
  readonly limits?: Partial<Limits>;
  readonly people?: readonly Person[];
  readonly places?: readonly Place[];
  readonly history?: readonly ThreadMessage[];
  readonly ports?: Partial<TenantAgentPorts>;
  readonly clock?: Clock;
  readonly log?: Logger;
}

/** An agent over one made-up workspace, with what it wrote kept. */
export function agent(setup: Setup) {
  const { model, tools = [], people = [alice], places = [general], history = [] } = setup;
  const traces: TraceRecord[] = [];
  /** Names of tools that are switched off now; a test may change it in the middle of an answer. */
  const off = new Set<string>();
  const ports: TenantAgentPorts = {
    directory: {
      person: async (id) => people.find((one) => one.id === id),
      place: async (id) => places.find((one) => one.id === id),
      channelsOf: async () => [],
      findPerson: async () => undefined,
      findChannel: async () => undefined,
      directMessage: async () => general.id,
    },
    choices: { read: async () => choicesFor(tools, off) },
    threads: { history: async () => history },
    traces: { save: async (trace) => void traces.push(trace), find: async (id) => traces.find((trace) => trace.id === id) },
    links: { passage: (passage) => `https://footnote.test/p/${passage}` },
    ...setup.ports,
  };
  const client = new AgentClient({
    registry: { all: () => tools },
    model: () => model,
    clock: setup.clock ?? systemClock,
    log: setup.log ?? silentLogger,
    limits: { ...defaultLimits, ...setup.limits },
    forTenant: () => ports,
  });
  const events: AgentEvent[] = [];
  const ask = (
    question: string | Partial<Question> = "What is our parental leave?",
    signal = new AbortController().signal,
  ): Promise<Answer> =>
    client.ask(
      {
        tenant: tenantId("t1"),
        person: alice.id,
        channel: general.id,
        text: "?",
        ...(typeof question === "string" ? { text: question } : question),
      },
      { write: (event) => void events.push(event) },
      signal,
    );
  return { client, ask, events, traces, off, ends: () => events.filter(({ type }) => /^answer-(end|stopped|error)$/.test(type)) };
}

const choicesFor = (tools: readonly Tool[], off: ReadonlySet<string>): ToolChoices => {
  const names = new Set(tools.map(({ name }) => name));
  const none = new Set<string>();
  return {
    flags: none,
    settings: {},
    allowed: names,
    leastRole: new Map(),
    template: names,
    switchedOff: { admin: none, channel: new Set(off), thread: none, person: none },
  };
};

/** A tool with two free parameters, `q` and `query`. */
export function tool(
  name: string,
  execute: (params: { q?: string }, context: ToolContext) => Promise<ToolResult>,
  more: Partial<Tool> = {},
): Tool {
  return {
    name,
    description: `Tool ${name}.`,
    parameters: {
      type: "object",
      properties: { q: { type: "string", description: "What." }, query: { type: "string", description: "What." } },
      additionalProperties: false,
    },
    annotations: { readOnly: true },
    execute: execute as Tool["execute"],
    ...more,
  };
}

/** A tool that finds the given sources at once. */
export const finds = (name: string, ...sources: readonly Source[]): Tool =>
  tool(name, async () => text(`${sources.length} passages found.`, { sources, count: sources.length }));

export const source = (id: string, more: Partial<Source> = {}): Source => ({
  id,
  title: `Title ${id}`,
  passage: `Passage ${id}.`,
  relevance: 0.5,
  ...more,
});
