import { expect } from "@jest/globals";
import type { Database } from "../../src/store/database.ts";
import type { ChildProgram } from "../fakes/child-program.ts";

/** For a program that has the database open: inserts rows for ever and prints those that were acknowledged. */
export const insertForever = `
  for (let i = 0; ; i++) {
    const id = crypto.randomUUID();
    await database.system((manager) => manager.query("INSERT INTO tenants (id, slack_team_id, name) VALUES ($1, $2, $2)", [id, id]));
    console.log("row " + i + " " + id);
  }`;

/** Kills a program in the middle of its inserts, several times on one data folder, and expects every acknowledged row to be there. */
export async function expectRowsSurvive(rounds: number, start: () => ChildProgram, open: () => Promise<Database>): Promise<void> {
  let known = 0;
  for (let round = 0; round < rounds; round++) {
    const writer = start();
    await writer.line(`row ${40 + round * 17} `);
    await writer.kill();
    const acknowledged = writer.lines.filter((line) => line.startsWith("row ")).map((line) => line.split(" ")[2] ?? "");
    expect(acknowledged.length).toBeGreaterThan(30);
    const database = await open();
    const rows = (await database.system((manager) => manager.query("SELECT id FROM tenants"))) as { id: string }[];
    await database.close();
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    known += acknowledged.length;
    expect(stored.size).toBeGreaterThanOrEqual(known);
  }
}

/** A program that opens the data folder and goes on so, or says why it cannot open it. */
export const openingProgram = (home: string, then = "await new Promise(() => setInterval(() => undefined, 1000));") => `
  const { Database } = await at("store/database.js");
  const { systemClock } = await at("core/clock.js");
  const { silentLogger } = await at("core/logger.js");
  try {
    const database = await Database.open({ home: ${JSON.stringify(home)}, clock: systemClock, log: silentLogger });
    console.log("opened");
    ${then}
  } catch (error) {
    console.log("refused " + error.message);
    process.exit(1);
  }`;
