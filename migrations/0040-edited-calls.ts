import type { MigrationInterface, QueryRunner } from "typeorm";

/** What askers change in a call before they allow it, and which forms of external tools admins have been told of. */
export class EditedCalls1764500000040 implements MigrationInterface {
  readonly name = "EditedCalls1764500000040";

  async up(runner: QueryRunner): Promise<void> {
    // Beside what was shown, by which the call is known again after a crash.
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN edited_arguments text");
    // The fields of a form, where what is asked for is not one text.
    await runner.query("ALTER TABLE tool_approvals ADD COLUMN form jsonb");
    await runner.query("ALTER TABLE external_tools ADD COLUMN told_fingerprint text");
    // Nobody is told of what has been there before.
    // The owner is bound by row-level security like everybody, but for this one look at all tenants' rows.
    await runner.query("ALTER TABLE external_tools NO FORCE ROW LEVEL SECURITY");
    await runner.query("UPDATE external_tools SET told_fingerprint = fingerprint");
    await runner.query("ALTER TABLE external_tools FORCE ROW LEVEL SECURITY");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE external_tools DROP COLUMN told_fingerprint");
    for (const column of ["form", "edited_arguments"]) await runner.query(`ALTER TABLE tool_approvals DROP COLUMN ${column}`);
  }
}
