import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import { channelId, type TenantId } from "../../src/core/ids.ts";
import { type Logger, silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { Database } from "../../src/store/database.ts";
import { ChannelAudienceRepository } from "../../src/store/repositories/channel-audiences.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";

const channel = channelId("C1");
const rightsOf = (database: Database, tenant: TenantId) => new ChannelAudienceRepository(tenant, database.forTenant(tenant));

describe.each(testDatabases)("statements that connections of the %s database keep", (kind) => {
  let db: TestDatabase;
  let [own, other]: TenantId[] = [];
  beforeAll(async () => {
    db = await openTestDatabase(kind);
    [own, other] = [await db.addTenant(), await db.addTenant()];
    await rightsOf(db.database, own).set({ key: "k", attempts: [] }, channel, "asker");
  });
  afterAll(() => db.close());

  test("give every workspace its own rows, whoever ran them before and however often", async () => {
    if (!own || !other) throw new Error("There are no tenants.");
    // After five times a server stops planning them for each call.
    for (let round = 0; round < 12; round++) {
      const read = [own, other, own, other].map((tenant) => rightsOf(db.database, tenant).inChannel(channel));
      expect(await Promise.all(read)).toEqual(["asker", "every_member", "asker", "every_member"]);
    }
    const kept = await db.database.system((manager) =>
      manager.query<{ statement: string }[]>("SELECT statement FROM pg_prepared_statements WHERE name LIKE 'footnote%'"),
    );
    expect(kept.map(({ statement }) => statement)).toContain("SELECT rights FROM channel_audiences WHERE channel_id = $1");
  });

  test("have names that the store alone gives, and that nobody takes away", async () => {
    const run = (query: unknown) => db.database.system((manager) => manager.query(query as string));
    await expect(run({ name: "mine", text: "SELECT 1" })).rejects.toMatchObject({ code: "NO_TENANT_CONTEXT" });
    await expect(run("DEALLOCATE ALL")).rejects.toMatchObject({ code: "NO_TENANT_CONTEXT" });
  });
});

/** Stands between program and server as an older pooler does: what a connection was told to keep, the next one has never heard of. */
class ForgetfulPooler {
  readonly #sockets: Socket[] = [];
  readonly #server: Server;

  constructor(to: URL) {
    this.#server = createServer((client) => {
      const server = connect(Number(to.port), to.hostname);
      this.#sockets.push(client, server);
      for (const socket of [client, server]) socket.on("error", () => undefined);
      server.pipe(client);
      client.on("data", (piece) => {
        const bytes = piece as Buffer;
        const parse = bytes.indexOf("footnote_");
        // Under another name, so that what follows does not find it.
        if (parse >= 0 && bytes[parse - 5] === "P".charCodeAt(0)) bytes.write("forgotten", parse);
        server.write(bytes);
      });
    });
  }

  async listen(url: URL): Promise<Secret> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const here = new URL(url);
    here.port = String((this.#server.address() as { port: number }).port);
    return new Secret(here.href);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

const onServer = testDatabases.includes("server") ? describe : describe.skip;

onServer("behind a pooler whose connections keep nothing", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await openTestDatabase("server");
  });
  afterAll(() => db.close());

  test("everything works as before, and the operator is told once that statements are not kept", async () => {
    const url = new URL(db.url?.reveal() ?? "");
    const pooler = new ForgetfulPooler(url);
    const warnings: string[] = [];
    const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message), with: () => log };
    const database = await Database.open({ url: await pooler.listen(url), home: db.home, clock: systemClock, log });
    try {
      const tenant = await db.addTenant();
      const read = () => Promise.all(Array.from({ length: 6 }, () => rightsOf(database, tenant).inChannel(channel)));
      expect(await read()).toEqual(Array(6).fill("every_member"));
      await rightsOf(database, tenant).set({ key: "k", attempts: [] }, channel, "asker");
      expect(await read()).toEqual(Array(6).fill("asker"));
      expect(warnings).toEqual([expect.stringContaining("do not keep prepared statements")]);
    } finally {
      await database.close();
      pooler.close();
    }
  });
});
