import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What a chat completions request holds, as far as tests look at it. */
export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content: string | null; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Writes one reply. `say` sends a piece of text, `call` asks for a tool; both at once reach the bot. */
export interface Reply {
  say(text: string): void;
  call(name: string, params: unknown): void;
  /** Asks for a tool with arguments that need not be JSON. */
  callRaw(name: string, args: string): void;
  /** Ends the connection without an end of the stream. */
  cut(): void;
}

/** Chooses the reply to a request; the reply ends when the promise resolves. */
export type Script = (request: ChatRequest, reply: Reply) => void | Promise<void>;

/** An OpenAI-compatible server on the loopback interface that says what a script tells it to, over the real wire format. */
export class ModelServer {
  readonly requests: ChatRequest[] = [];
  readonly #server;
  script: Script;

  private constructor(script: Script) {
    this.script = script;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(script: Script): Promise<ModelServer> {
    const server = new ModelServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  /** For OPENAI_BASE_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chat = (await json(request)) as ChatRequest;
    this.requests.push(chat);
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    let index = 0;
    const send = (delta: unknown, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: "r", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    const callRaw = (name: string, args: string) => {
      const id = `call_${this.requests.length}_${index}`;
      send({ tool_calls: [{ index: index++, id, type: "function", function: { name, arguments: args } }] });
    };
    await this.script(chat, {
      say: (content) => void send({ content }),
      call: (name, params) => callRaw(name, JSON.stringify(params)),
      callRaw,
      cut: () => void response.destroy(),
    });
    if (response.destroyed) return;
    send({}, index > 0 ? "tool_calls" : "stop");
    response.end("data: [DONE]\n\n");
  }
}
