import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TenantId } from "../../src/core/ids.ts";
import { openTestDatabase, type TestDatabase, testDatabases } from "../fakes/test-database.ts";
import { appendOnlyTables, globalTables, insertOf, plant, sampleRow, type Table, tablesOf, tenantTablesOf } from "./catalogue.ts";

const own = "(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)";

describe.each(testDatabases)("tenants on the %s database", (kind) => {
  let db: TestDatabase;
  let tables: readonly Table[];
  let acme: TenantId;
  let globex: TenantId;

  beforeAll(async () => {
    db = await openTestDatabase(kind);
    tables = await tenantTablesOf(db);
    acme = await db.addTenant("acme");
    globex = await db.addTenant("globex");
    for (const table of tables) {
      await plant(db, table, acme);
      await plant(db, table, globex);
    }
  });
  afterAll(() => db.close());

  const as = async <Row>(tenant: TenantId, sql: string): Promise<Row[]> =>
    (await db.database.forTenant(tenant)((manager) => manager.query(sql))) as Row[];
  /** Rows changed by an UPDATE or DELETE. */
  const changedBy = async (tenant: TenantId, sql: string): Promise<number> => {
    const [, count] = await db.database.forTenant(tenant)((manager) => manager.query(sql));
    return count as number;
  };
  const countOf = ({ name }: Table, where = "true") => `SELECT count(*)::int AS count FROM "${name}" WHERE ${where}`;
  const fingerprint = async ({ name }: Table, tenant: TenantId) =>
    await db.asOwner(`SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS md5 FROM "${name}" t WHERE tenant_id = '${tenant}'`);

  describe("every table", () => {
    test("is known: protected, or on the reviewed list of global ones", async () => {
      const all = (await tablesOf(db)).map(({ name }) => name);
      expect(all).toEqual(expect.arrayContaining(["installations", "tool_settings", "tool_switches"]));
      expect(all.filter((name) => globalTables.includes(name))).toEqual(globalTables);
    });

    test("of a tenant is under row-level security, forced, with one policy that compares the tenant on both sides", async () => {
      const rows = await db.asOwner(`
        SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
          (SELECT json_agg(json_build_object('using', qual, 'check', with_check, 'command', cmd, 'kind', permissive))
            FROM pg_policies WHERE schemaname = 'public' AND tablename = c.relname) AS policies,
          (SELECT attnotnull FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id') AS tenant
        FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> ALL ('{${globalTables.join(",")}}') ORDER BY 1`);
      expect(rows).toEqual(
        tables.map(({ name }) => ({
          name,
          forced: true,
          policies: [{ using: own, check: own, command: "ALL", kind: "PERMISSIVE" }],
          tenant: true,
        })),
      );
    });

    test("has the tenant in every key, and in every reference to another tenant's table", async () => {
      const keys = await db.asOwner(`
        SELECT indexrelid::regclass::text AS key FROM pg_index i JOIN pg_class c ON c.oid = indrelid
        WHERE indisunique AND relnamespace = 'public'::regnamespace AND relname <> ALL ('{${globalTables.join(",")}}')
          AND NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = indrelid AND attname = 'tenant_id' AND attnum = ANY (indkey))`);
      const references = await db.asOwner(`
        SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
          AND confrelid::regclass::text <> ALL ('{${globalTables.join(",")}}')
          AND NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = conrelid AND attname = 'tenant_id' AND attnum = ANY (conkey))`);
      expect({ keys, references }).toEqual({ keys: [], references: [] });
    });

    test("is empty without a tenant, and shows a tenant its own row", async () => {
      for (const table of tables) {
        const [none] = await db.database.system((manager) => manager.query(countOf(table)));
        expect({ table: table.name, ...none }).toEqual({ table: table.name, count: 0 });
        expect({ table: table.name, rows: await as(acme, countOf(table)) }).toEqual({ table: table.name, rows: [{ count: 1 }] });
      }
    });

    test("hides, and keeps from change, another tenant's row", async () => {
      for (const table of tables) {
        const before = await fingerprint(table, globex);
        const theirs = `tenant_id = '${globex}'`;
        expect(await as(acme, countOf(table, theirs))).toEqual([{ count: 0 }]);
        if (!appendOnlyTables.includes(table.name)) {
          expect(await changedBy(acme, `UPDATE "${table.name}" SET tenant_id = tenant_id WHERE ${theirs}`)).toBe(0);
          expect(await changedBy(acme, `DELETE FROM "${table.name}" WHERE ${theirs}`)).toBe(0);
        }
        expect(await fingerprint(table, globex)).toEqual(before);
      }
    });

    test("takes no row in another tenant's name: not inserted, not moved, not by ON CONFLICT", async () => {
      const refused = { driverError: expect.objectContaining({ code: "42501" }) };
      for (const table of tables) {
        const before = await fingerprint(table, globex);
        const insert = insertOf(table, sampleRow(table, globex));
        await expect(as(acme, insert)).rejects.toMatchObject(refused);
        await expect(as(acme, `${insert} ON CONFLICT DO NOTHING`)).rejects.toMatchObject(refused);
        await expect(as(acme, `UPDATE "${table.name}" SET tenant_id = '${globex}'`)).rejects.toMatchObject(refused);
        expect(await fingerprint(table, globex)).toEqual(before);
      }
    });

    test("lets a tenant change and delete its own row", async () => {
      const initech = await db.addTenant();
      for (const table of tables.filter(({ name }) => !appendOnlyTables.includes(name))) {
        await plant(db, table, initech);
        expect(await changedBy(initech, `UPDATE "${table.name}" SET tenant_id = tenant_id`)).toBe(1);
        const before = await fingerprint(table, globex);
        expect(await changedBy(initech, `DELETE FROM "${table.name}"`)).toBe(1);
        expect(await fingerprint(table, globex)).toEqual(before);
      }
    });

    test("that only grows lets nobody change or delete a row, their own neither", async () => {
      const refused = { driverError: expect.objectContaining({ code: "42501" }) };
      for (const name of appendOnlyTables) {
        await expect(as(acme, `UPDATE "${name}" SET tenant_id = tenant_id`)).rejects.toMatchObject(refused);
        await expect(as(acme, `DELETE FROM "${name}"`)).rejects.toMatchObject(refused);
        expect(await as(acme, `SELECT count(*)::int AS count FROM "${name}"`)).toEqual([{ count: 1 }]);
      }
    });

    test("is neither emptied nor altered by the application's role", async () => {
      const rights = await db.asOwner<{ name: string; rights: string[] }>(`
        SELECT relname AS name, array(SELECT r FROM unnest('{TRUNCATE,REFERENCES,TRIGGER}'::text[]) r WHERE has_table_privilege('footnote_app', c.oid, r)) AS rights
        FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`);
      expect(rights.filter((row) => row.rights.length > 0)).toEqual([]);
      await expect(db.database.system((manager) => manager.query("DELETE FROM tenants"))).rejects.toMatchObject({
        driverError: expect.objectContaining({ code: "42501" }),
      });
    });
  });

  test("a row cannot refer to another tenant's row", async () => {
    const references = await db.asOwner<{ name: string; target: string }>(`
      SELECT conrelid::regclass::text AS name, confrelid::regclass::text AS target FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND confrelid::regclass::text <> ALL ('{${globalTables.join(",")}}')
        AND conrelid::regclass::text <> ALL ('{${globalTables.join(",")}}')`);
    for (const { name, target } of references) {
      const [column] = await db.asOwner<{ name: string }>(`
        SELECT attname AS name FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
        WHERE contype = 'f' AND conrelid = '${name}'::regclass AND confrelid = '${target}'::regclass AND attname <> 'tenant_id'`);
      const [theirs] = await db.asOwner<{ id: string }>(`SELECT id FROM "${target}" WHERE tenant_id = '${globex}'`);
      const table = tables.find((candidate) => candidate.name === name);
      if (!table || !column || !theirs) throw new Error(`The reference from ${name} to ${target} is of a form this test does not know.`);
      const row = new Map([...sampleRow(table, acme), [column.name, `'${theirs.id}'`]]);
      await expect(as(acme, insertOf(table, row))).rejects.toMatchObject({ driverError: expect.objectContaining({ code: "23503" }) });
    }
  });

  test("nothing in the schema steps around row-level security", async () => {
    const ours = (catalogue: string, column: string) =>
      `NOT EXISTS (SELECT 1 FROM pg_depend WHERE classid = '${catalogue}'::regclass AND objid = ${column} AND deptype = 'e')`;
    const found = await db.asOwner(`
      SELECT 'SECURITY DEFINER function' AS what, proname::text AS name FROM pg_proc
        WHERE prosecdef AND pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) AND ${ours("pg_proc", "pg_proc.oid")}
      UNION ALL SELECT 'view without security_invoker', relname::text FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'v' AND ${ours("pg_class", "pg_class.oid")}
          AND NOT coalesce(reloptions, '{}') && '{security_invoker=true,security_invoker=on,security_invoker=1}'
      UNION ALL SELECT 'materialized view or foreign table', relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('m', 'f')
      UNION ALL SELECT 'owned by footnote_app', relname::text FROM pg_class WHERE relowner = 'footnote_app'::regrole
      UNION ALL SELECT 'attribute of footnote_app', rolname::text FROM pg_roles
        WHERE rolname = 'footnote_app' AND (rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole OR rolcreatedb)
      UNION ALL SELECT 'footnote_app may create in', 'public' WHERE has_schema_privilege('footnote_app', 'public', 'CREATE')`);
    expect(found).toEqual([]);
  });

  test("the id of another tenant's row gives the same answer as an id that does not exist", async () => {
    for (const table of tables.filter(({ columns }) => columns.some(({ name, type }) => name === "id" && type === "uuid"))) {
      const [theirs] = await db.asOwner<{ id: string }>(`SELECT id FROM "${table.name}" WHERE tenant_id = '${globex}'`);
      const [mine] = await as<{ id: string }>(acme, `SELECT id FROM "${table.name}"`);
      const ask = (id: string | undefined) => as(acme, `SELECT * FROM "${table.name}" WHERE id = '${id}'`);
      expect(await ask(theirs?.id)).toEqual(await ask("00000000-0000-4000-8000-000000000000"));
      expect(await ask(mine?.id)).toHaveLength(1);
    }
  });
});
