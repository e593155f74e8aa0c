import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { AppError, codeOf, messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Operations } from "../operations.ts";
import { controlAddress, removeSocketFolder, socketFolderIsOurs } from "./control-address.ts";
import type { ControlReply, ControlRequest } from "./control-protocol.ts";

/**
 * Offers Operations to the command line on a unix socket that only this user can open. One request a connection; a connection that
 * closes early aborts its request. Must be called by the holder of the data folder's lock: an old socket file is then surely stale.
 */
export async function startControlServer(home: string, operations: Operations, log: Logger): Promise<{ close(): Promise<void> }> {
  const address = controlAddress(home);
  // With a server database and a key ring from the configuration nothing else has made the folder.
  mkdirSync(home, { recursive: true, mode: 0o700 });
  socketFolderIsOurs(home, { make: true });
  rmSync(address, { force: true });
  const server = createServer((socket) => void serve(socket, operations, log));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, resolve);
  });
  chmodSync(address, 0o600);
  return { close: () => closeServer(server).then(() => removeSocketFolder(home)) };
}

async function serve(socket: Socket, operations: Operations, log: Logger): Promise<void> {
  const gone = new AbortController();
  socket.on("close", () => gone.abort(new AppError("INTERNAL", "The command line went away.")));
  socket.on("error", () => socket.destroy());
  const reply = (message: ControlReply) => {
    if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
  };
  try {
    const line = await firstLine(socket);
    if (line) reply({ type: "result", result: await run(JSON.parse(line) as ControlRequest, operations, reply, gone.signal) });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) log.error("A command failed.", { code: "INTERNAL" });
    reply({ type: "error", code: codeOf(thrown), message: messageOf(thrown) });
  }
  socket.end();
}

/** The request. The socket goes on flowing afterwards: only one that is read tells when the other side leaves. */
function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.split("\n")[0]);
    });
    socket.on("close", () => resolve(undefined));
  });
}

async function run(request: ControlRequest, operations: Operations, reply: (message: ControlReply) => void, signal: AbortSignal) {
  switch (request.operation) {
    case "ask":
      return operations.ask(request.request, { write: (event) => reply({ type: "event", event }) }, signal);
    case "ingest":
      return operations.ingest(request.request, (progress) => reply({ type: "progress", progress }), signal);
    case "trace":
      return operations.trace(request.id);
    case "feedback":
      return operations.feedback(request.request);
    case "workspaces":
      return operations.workspaces();
    case "addWorkspace":
      return operations.addWorkspace(request.request);
    case "removeWorkspace":
      return operations.removeWorkspace(request.workspace);
    case "addKey":
      return operations.addKey(request.request);
    case "templates":
      return operations.templates(request.workspace);
    case "applyTemplate":
      return operations.applyTemplate(request.request);
    case "exportTemplate":
      return operations.exportTemplate(request.request);
    case "useTemplate":
      return operations.useTemplate(request.request);
    case "externalTools":
      return operations.externalTools(request.workspace);
    case "decideExternal":
      return operations.decideExternal(request.request);
    case "ownServers":
      return operations.ownServers(request.workspace);
    case "applyServers":
      return operations.applyServers(request.request);
    case "removeServer":
      return operations.removeServer(request.request);
    case "loginLink":
      return operations.loginLink(request.request);
    case "logOut":
      return operations.logOut(request.request);
    case "personTools":
      return operations.personTools(request.request);
    case "callPersonTool":
      return operations.callPersonTool(request.request, (news) => reply({ type: "call-progress", news }), signal);
    case "mendFullText":
      return operations.mendFullText(request.request);
    case "embedders":
      return operations.embedders();
    case "useEmbedder":
      return operations.useEmbedder(request.name);
    case "forgetEmbedder":
      return operations.forgetEmbedder(request.name);
    case "flags":
      return operations.flags(request.workspace);
    case "setFlag":
      return operations.setFlag(request.request);
    case "keys":
      return operations.keys(request.workspace);
    case "revokeKey":
      return operations.revokeKey(request.id);
    case "diagnose":
      return operations.diagnose();
    case "sources":
      return operations.sources(request.workspace);
    case "addSource":
      return operations.addSource(request.request);
    case "syncSource":
      return operations.syncSource(request.request, signal);
    case "removeSource":
      return operations.removeSource(request.request);
    default:
      request satisfies never;
      throw new AppError("NOT_FOUND", "This version does not know that command: restart the program after an update.");
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
