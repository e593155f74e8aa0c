import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket } from "ws";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import type { Json } from "../../playground/server/state.ts";
import { callWith, cleanUp } from "./harness.ts";

/** A request as the app got it. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A bare HTTP app: `answer` decides what each request gets; nothing means that it never gets an answer. */
export async function httpApp(
  answer: (index: number, request: Received) => { status: number; headers?: Record<string, string>; body?: string } | undefined,
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const got = { headers: request.headers, body };
      received.push(got);
      const reply = answer(received.length - 1, got);
      if (reply) response.writeHead(reply.status, reply.headers).end(reply.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`, received };
}

/** A bare Socket Mode client: keeps every frame and acknowledges those that `acknowledge` says. */
export async function socketApp(slack: FakeSlack, acknowledge: (frame: Json, index: number) => boolean) {
  const { url } = await callWith(slack, slack.appToken, "apps.connections.open");
  const socket = new WebSocket(url as string);
  const frames: Json[] = [];
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data)) as Json;
    if (frame.envelope_id && acknowledge(frame, frames.length)) socket.send(JSON.stringify({ envelope_id: frame.envelope_id }));
    if (frame.envelope_id) frames.push(frame);
  });
  await new Promise((resolve) => socket.once("open", resolve));
  cleanUp(() => socket.terminate());
  return { frames, socket };
}
