import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "@jest/globals";
import { checkPort } from "../../src/api/check-port.ts";

test("a free port is fine, a taken one is a failure that names its setting, and any port will do when none is asked for", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
  expect(await checkPort("HTTP port", at, "FOOTNOTE_PORT")).toEqual({
    name: "HTTP port",
    status: "failed",
    summary: `Another program listens on port ${at.port} of 127.0.0.1.`,
    mend: "End it, or set FOOTNOTE_PORT to a free port.",
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await checkPort("HTTP port", at, "FOOTNOTE_PORT")).toMatchObject({ status: "ok" });
  expect(await checkPort("HTTP port", { ...at, port: 0 }, "FOOTNOTE_PORT")).toMatchObject({ status: "ok" });
});

test("an address that is not this machine's is a failure", async () =>
  expect(await checkPort("HTTP port", { host: "192.0.2.1", port: 3000 }, "FOOTNOTE_PORT")).toMatchObject({
    status: "failed",
    mend: "Set FOOTNOTE_HOST to an address of this machine.",
  }));
