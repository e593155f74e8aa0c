import { type Check, failed, ok, warning } from "../../core/check.ts";
import type { Clock } from "../../core/clock.ts";
import type { Secret } from "../../core/secret.ts";
import { failureFromBody } from "./failures.ts";
import type { ModelFailure } from "./model.ts";
import { sseData } from "./sse.ts";

export interface CheckedModel {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey?: Secret | undefined;
}

/** Local models may have to be loaded first. */
const patienceMs = 60_000;

const request = (model: string) => ({
  model,
  stream: true,
  messages: [{ role: "user", content: "Call the tool `ping` once. Write nothing." }],
  tools: [{ type: "function", function: { name: "ping", description: "Answers pong.", parameters: { type: "object", properties: {} } } }],
});

/** What came back: whether in pieces, and whether with a tool call. */
interface Reply {
  readonly streamed: boolean;
  readonly called: boolean;
}

/**
 * Sends one tiny request with a tool, as the agent would, and says whether streaming and tool calls work. The wire is read here and not
 * through the model's adapter, which hides from its callers what a server cannot do.
 * @param title what the check is called, e.g. "Model"
 */
export async function checkModel(title: string, { name, baseUrl, apiKey }: CheckedModel, clock: Clock): Promise<Check> {
  const begun = clock.monotonic();
  const reply = await ask({ name, baseUrl, apiKey });
  const seconds = ((clock.monotonic() - begun) / 1000).toFixed(1);
  if ("code" in reply) return refused(title, name, { ...reply, message: withoutKey(reply.message, apiKey) });
  if (!reply.called)
    return warning(
      title,
      `${name} answers but did not call the tool it was asked to call.`,
      "Choose a model that calls tools, and a server that passes tools on to it.",
    );
  if (!reply.streamed)
    return warning(
      title,
      `${name} calls tools but its answers come in one piece.`,
      "Switch streaming on in the server or proxy; people see nothing until an answer is complete.",
    );
  return ok(title, `${name} answers in ${seconds} s, streams and calls tools.`);
}

/** Servers like to repeat the key that they refuse. */
const withoutKey = (message: string, key: Secret | undefined): string => (key ? message.replaceAll(key.reveal(), "[key]") : message);

function refused(title: string, name: string, { code, message }: ModelFailure): Check {
  switch (code) {
    case "no-tools":
      return warning(
        title,
        `${name} cannot call tools, so documents are searched for and quoted instead.`,
        "Choose a model that calls tools.",
      );
    case "rate-limited":
      return warning(title, `${name} is there but takes no requests at this moment.`, "Wait, or raise the limits of the account.");
    case "refused":
      return failed(
        title,
        `${name} refuses requests: ${message}`,
        "Check OPENAI_API_KEY, OPENAI_MODEL and OPENAI_BASE_URL (which as a rule ends in /v1).",
      );
    default:
      return failed(
        title,
        `${name} cannot be reached: ${message}`,
        "Check that the server runs, and OPENAI_BASE_URL (which as a rule ends in /v1).",
      );
  }
}

async function ask({ name, baseUrl, apiKey }: CheckedModel): Promise<Reply | ModelFailure> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}/chat/completions`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(apiKey && { Authorization: `Bearer ${apiKey.reveal()}` }) },
      body: JSON.stringify(request(name)),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.ok) return failureFromBody(parsed(await response.text()), response.status);
    return await read(response);
  } catch {
    return { code: "unreachable", message: "There is no answer at its address.", retryable: true };
  }
}

async function read(response: Response): Promise<Reply | ModelFailure> {
  const streamed = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  const pieces = streamed && response.body ? sseData(response.body) : [await response.text()];
  let called = false;
  for await (const piece of pieces) {
    const { error, choices } = (parsed(piece) ?? {}) as { error?: unknown; choices?: readonly Choice[] };
    if (error) return failureFromBody({ error });
    called ||= (choices ?? []).some(({ delta, message }) => ((delta ?? message)?.tool_calls ?? []).length > 0);
  }
  return { streamed, called };
}

interface Choice {
  readonly delta?: { readonly tool_calls?: readonly unknown[] | null };
  readonly message?: { readonly tool_calls?: readonly unknown[] | null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
