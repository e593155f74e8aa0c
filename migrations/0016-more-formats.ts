import type { MigrationInterface, QueryRunner } from "typeorm";

const BEFORE = ["pdf", "docx", "html", "markdown", "text"];
const NEW = ["pptx", "xlsx", "odt", "ods", "odp", "rtf", "csv", "xml", "eml", "msg", "epub", "zip", "doc", "xls", "ppt"];

/** Slides, sheets, e-mails, books and archives are read too, and a page may be called otherwise than by its position. */
export class MoreFormats1764500000016 implements MigrationInterface {
  readonly name = "MoreFormats1764500000016";

  async up(runner: QueryRunner): Promise<void> {
    await this.#allow(runner, [...BEFORE, ...NEW]);
    await runner.query("ALTER TABLE passages ADD COLUMN page_name text");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM documents WHERE format IN (${listed(NEW)})`);
    await this.#allow(runner, BEFORE);
    await runner.query("ALTER TABLE passages DROP COLUMN page_name");
  }

  async #allow(runner: QueryRunner, formats: readonly string[]): Promise<void> {
    await runner.query("ALTER TABLE documents DROP CONSTRAINT documents_format_check");
    await runner.query(`ALTER TABLE documents ADD CONSTRAINT documents_format_check CHECK (format IN (${listed(formats)}))`);
  }
}

const listed = (formats: readonly string[]): string => formats.map((format) => `'${format}'`).join(", ");
