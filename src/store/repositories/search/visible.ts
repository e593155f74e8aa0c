import type { DocumentFilter } from "../../../knowledge/library.ts";

/** What the principals ($2) of the tenant ($1) may read. It stands in every statement that reads passages. */
export const VISIBLE = "SELECT document_id FROM document_grants WHERE tenant_id = $1 AND principal = ANY($2::text[])";

/** A sub-select of document ids and the values of its placeholders beyond $1 and $2. */
export interface VisibleDocuments {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** VISIBLE, narrowed by a filter. @param next number of the first free placeholder */
export function visibleDocuments(filter: DocumentFilter | undefined, next: number): VisibleDocuments {
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: (placeholder: string) => string, value: unknown) => {
    if (value === undefined) return;
    conditions.push(condition(`$${next + values.length}`));
    values.push(value);
  };
  add((given) => `position(lower(${given}::text) IN lower(d.source_uri)) > 0`, filter?.source);
  add((given) => `d.format = ANY(${given}::text[])`, filter?.formats);
  add((given) => `d.ingested_at >= ${given}::timestamptz`, filter?.from);
  add((given) => `d.ingested_at < ${given}::timestamptz`, filter?.before);
  add((given) => `position(lower(${given}::text) IN lower(d.author)) > 0`, filter?.person);
  if (conditions.length === 0) return { sql: VISIBLE, values };
  const sql = `SELECT g.document_id FROM document_grants g JOIN documents d ON d.tenant_id = $1 AND d.id = g.document_id
    WHERE g.tenant_id = $1 AND g.principal = ANY($2::text[]) AND ${conditions.join(" AND ")}`;
  return { sql, values };
}
