import { createServer } from "node:net";
import { type Check, failed, ok } from "../core/check.ts";

/** Whether a server of ours could listen there. @param setting name of the variable that moves it */
export async function checkPort(
  name: string,
  { host, port }: { readonly host: string; readonly port: number },
  setting: string,
): Promise<Check> {
  if (port === 0) return ok(name, "Any free port will do.");
  const code = await tryListening(host, port);
  if (code === undefined) return ok(name, `Port ${port} on ${host} is free.`);
  if (code === "EADDRINUSE")
    return failed(name, `Another program listens on port ${port} of ${host}.`, `End it, or set ${setting} to a free port.`);
  if (code === "EACCES") return failed(name, `This user may not listen on port ${port}.`, `Set ${setting} to a port over 1023.`);
  return failed(name, `Nothing can listen on ${host}, port ${port} (${code}).`, "Set FOOTNOTE_HOST to an address of this machine.");
}

/** The reason why not, as Node's code. */
function tryListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "unknown"));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
