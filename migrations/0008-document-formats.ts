import type { MigrationInterface, QueryRunner } from "typeorm";

/** Word documents and web pages are read too. */
export class DocumentFormats1764500000008 implements MigrationInterface {
  readonly name = "DocumentFormats1764500000008";

  async up(runner: QueryRunner): Promise<void> {
    await this.#allow(runner, ["pdf", "docx", "html", "markdown", "text"]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM documents WHERE format IN ('docx', 'html')");
    await this.#allow(runner, ["pdf", "markdown", "text"]);
  }

  async #allow(runner: QueryRunner, formats: readonly string[]): Promise<void> {
    await runner.query("ALTER TABLE documents DROP CONSTRAINT documents_format_check");
    const list = formats.map((format) => `'${format}'`).join(", ");
    await runner.query(`ALTER TABLE documents ADD CONSTRAINT documents_format_check CHECK (format IN (${list}))`);
  }
}
