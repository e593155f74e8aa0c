import type { EntityManager } from "typeorm";
import type { DocumentId, TenantId } from "../../core/ids.ts";
import type { Principal } from "../../core/principal.ts";

/** Whose grants are meant: those of one holder, or all that a document has. */
interface Granted {
  readonly grants: readonly Principal[];
  readonly holder?: string;
}

/** Nobody else changes the document, or who holds it, until the transaction ends. False when there is none. Its readers may change: it has a new revision. */
export async function lockDocument(manager: EntityManager, tenant: TenantId, document: DocumentId): Promise<boolean> {
  const [rows] = await manager.query<[unknown[]]>(
    "UPDATE documents SET revision = gen_random_uuid() WHERE tenant_id = $1 AND id = $2 RETURNING id",
    [tenant, document],
  );
  return rows.length > 0;
}

/** Makes these the grants of a document that is locked; where a holder is named, of that one, and the document has what all holders grant. */
export async function writeGrants(
  manager: EntityManager,
  tenant: TenantId,
  document: DocumentId,
  { grants, holder }: Granted,
): Promise<void> {
  const unique = [...new Set(grants)];
  if (holder === undefined) {
    await manager.query("DELETE FROM document_grants WHERE tenant_id = $1 AND document_id = $2", [tenant, document]);
    const insert = "INSERT INTO document_grants (tenant_id, document_id, principal) SELECT $1, $2, unnest($3::text[])";
    await manager.query(insert, [tenant, document, unique]);
    return;
  }
  await manager.query(
    `INSERT INTO document_holders (tenant_id, document_id, holder, grants) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, document_id, holder) DO UPDATE SET grants = excluded.grants`,
    [tenant, document, holder, unique],
  );
  await addUp(manager, tenant, document);
}

/** A holder lets go of a document; whom nobody holds is gone. */
export async function releaseDocument(
  manager: EntityManager,
  tenant: TenantId,
  document: DocumentId,
  holder: string,
): Promise<"gone" | "held"> {
  if (!(await lockDocument(manager, tenant, document))) return "gone";
  const which = [tenant, document];
  await manager.query("DELETE FROM document_holders WHERE tenant_id = $1 AND document_id = $2 AND holder = $3", [...which, holder]);
  const held = await manager.query<unknown[]>("SELECT FROM document_holders WHERE tenant_id = $1 AND document_id = $2 LIMIT 1", which);
  if (held.length > 0) {
    await addUp(manager, tenant, document);
    return "held";
  }
  await manager.query("DELETE FROM documents WHERE tenant_id = $1 AND id = $2", which);
  return "gone";
}

async function addUp(manager: EntityManager, tenant: TenantId, document: DocumentId): Promise<void> {
  await manager.query("DELETE FROM document_grants WHERE tenant_id = $1 AND document_id = $2", [tenant, document]);
  await manager.query(
    `INSERT INTO document_grants (tenant_id, document_id, principal)
     SELECT DISTINCT tenant_id, document_id, unnest(grants) FROM document_holders WHERE tenant_id = $1 AND document_id = $2`,
    [tenant, document],
  );
}
