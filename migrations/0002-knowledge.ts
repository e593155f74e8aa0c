import type { MigrationInterface, QueryRunner } from "typeorm";
import { protectTenantTable } from "./tenant-table.ts";

/** Dimensions of embedding models that get an approximate index; vectors of any other dimension are searched exactly. */
const INDEXED_DIMENSIONS = [256, 384, 512, 768, 1024, 1536] as const;
/** pgvector indexes `vector` up to 2,000 dimensions; beyond, half precision is indexed. */
const INDEXED_HALF_DIMENSIONS = [3072] as const;

/** Documents, who may read them, their passages, and the two indexes over these: words (postings) and meaning (embeddings). */
export class Knowledge1764500000002 implements MigrationInterface {
  readonly name = "Knowledge1764500000002";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE documents (
        tenant_id uuid NOT NULL REFERENCES tenants (id),
        id uuid NOT NULL,
        title text NOT NULL,
        source_uri text NOT NULL,
        content_hash text NOT NULL,
        recipe text NOT NULL,
        format text NOT NULL CHECK (format IN ('pdf', 'markdown', 'text')),
        pages integer,
        notes text[] NOT NULL DEFAULT '{}',
        passage_count integer NOT NULL,
        term_count integer NOT NULL,
        token_count integer NOT NULL,
        ingested_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, source_uri)
      )`);
    await protectTenantTable(runner, "documents");

    await runner.query(`
      CREATE TABLE document_grants (
        tenant_id uuid NOT NULL,
        document_id uuid NOT NULL,
        principal text NOT NULL,
        PRIMARY KEY (tenant_id, principal, document_id),
        FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query("CREATE INDEX document_grants_document ON document_grants (tenant_id, document_id)");
    await protectTenantTable(runner, "document_grants");

    await runner.query(`
      CREATE TABLE passages (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        document_id uuid NOT NULL,
        ordinal integer NOT NULL,
        text text NOT NULL,
        page integer,
        page_end integer,
        heading text,
        tokens integer NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, document_id, ordinal),
        FOREIGN KEY (tenant_id, document_id) REFERENCES documents (tenant_id, id) ON DELETE CASCADE
      )`);
    await protectTenantTable(runner, "passages");

    // The inverted index: one row per word and passage. Equality of text is leakproof, so the index is used under row-level security
    // (the @@ of tsvector is not). document_id and length are copied here so that scoring reads this index alone.
    await runner.query(`
      CREATE TABLE postings (
        tenant_id uuid NOT NULL,
        passage_id uuid NOT NULL,
        term text NOT NULL,
        document_id uuid NOT NULL,
        frequency integer NOT NULL,
        length integer NOT NULL,
        PRIMARY KEY (tenant_id, passage_id, term),
        FOREIGN KEY (tenant_id, passage_id) REFERENCES passages (tenant_id, id) ON DELETE CASCADE
      )`);
    await runner.query("CREATE INDEX postings_term ON postings (tenant_id, term) INCLUDE (document_id, passage_id, frequency, length)");
    await protectTenantTable(runner, "postings");

    await runner.query(`
      CREATE TABLE embeddings (
        tenant_id uuid NOT NULL,
        passage_id uuid NOT NULL,
        model text NOT NULL,
        document_id uuid NOT NULL,
        dimensions integer NOT NULL,
        vector vector NOT NULL CHECK (vector_dims(vector) = dimensions),
        PRIMARY KEY (tenant_id, passage_id, model),
        FOREIGN KEY (tenant_id, passage_id) REFERENCES passages (tenant_id, id) ON DELETE CASCADE
      )`);
    // Inline as long as a row fits into its page: fetching each vector from a side table doubles the time of an exact search.
    await runner.query("ALTER TABLE embeddings ALTER COLUMN vector SET STORAGE MAIN");
    await runner.query("CREATE INDEX embeddings_document ON embeddings (tenant_id, document_id)");
    for (const dimensions of INDEXED_DIMENSIONS) await createVectorIndex(runner, "vector", dimensions);
    for (const dimensions of INDEXED_HALF_DIMENSIONS) await createVectorIndex(runner, "halfvec", dimensions);
    await protectTenantTable(runner, "embeddings");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DROP TABLE embeddings, postings, passages, document_grants, documents");
  }
}

/** Partial by dimension, not by model: the running program may not create indexes, and an installation uses one model at a time. */
const createVectorIndex = (runner: QueryRunner, type: "vector" | "halfvec", dimensions: number): Promise<unknown> =>
  runner.query(`
    CREATE INDEX embeddings_near_${dimensions} ON embeddings USING hnsw ((vector::${type}(${dimensions})) ${type}_cosine_ops)
    WHERE dimensions = ${dimensions}`);
