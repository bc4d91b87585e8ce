import { cleanText, codePoints } from "~/lib/clean-text";
import { readCsv } from "~/lib/read-csv";
import { createAudit, SYSTEM } from "~/services/audit/audit.server";
import type { ServiceDeps } from "~/services/service-deps";
import type { Tenant } from "./tenant-directory";

const LIMITS = { id: 100, name: 200, domain: 253 } as const;
const COLUMNS = ["id", "name", "domain"] as const;
const CHUNK = 500;

/** A problem of a file; lines count from 1, the header. */
type TenantFileProblem =
  | { problem: "no-header" }
  | { problem: "no-id" | "no-name" | "too-long" | "twice" | "unreadable"; line: number };
type TenantImport = { ok: true; count: number } | ({ ok: false } & TenantFileProblem);

/**
 * Upserts the companies of a CSV file with the columns id, name and domain, in any order. Removes none, because
 * broadcasts and devices may refer to it. An invalid file changes nothing.
 */
export async function importTenants(deps: ServiceDeps, file: string): Promise<TenantImport> {
  const read = readTenants(file);
  if (!read.ok) return read;
  const { tenants } = read;
  const now = deps.clock();
  await deps.database.write(async (trx) => {
    for (let at = 0; at < tenants.length; at += CHUNK) {
      await trx
        .insertInto("tenants")
        .values(tenants.slice(at, at + CHUNK).map((tenant) => ({ ...tenant, updated_at: now })))
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(({ ref }) => ({
            name: ref("excluded.name"),
            domain: ref("excluded.domain"),
            updated_at: ref("excluded.updated_at"),
          })),
        )
        .execute();
    }
    await createAudit(deps)(trx, SYSTEM, { action: "import-tenants", subject: String(tenants.length) });
  });
  return { ok: true, count: tenants.length };
}

function readTenants(file: string): { ok: true; tenants: Tenant[] } | ({ ok: false } & TenantFileProblem) {
  const lines = readCsv(file);
  const header = lines[0]?.map((name) => name.trim().toLowerCase()) ?? [];
  if (!header.includes("id") || !header.includes("name")) return { ok: false, problem: "no-header" };
  const known = new Map<string, Tenant>();
  for (const [index, cells] of lines.slice(1).entries()) {
    const line = index + 2;
    if (cells.every((cell) => cell.trim() === "")) continue;
    const [id, name, domain] = COLUMNS.map((column) => cleanText(cells[header.indexOf(column)] ?? ""));
    if (id === undefined || name === undefined || domain === undefined) {
      return { ok: false, problem: "unreadable", line };
    }
    if (id === "") return { ok: false, problem: "no-id", line };
    if (name === "") return { ok: false, problem: "no-name", line };
    const tenant = { id, name, domain };
    if (COLUMNS.some((column) => codePoints(tenant[column]) > LIMITS[column])) {
      return { ok: false, problem: "too-long", line };
    }
    if (known.has(id)) return { ok: false, problem: "twice", line };
    known.set(id, tenant);
  }
  return { ok: true, tenants: [...known.values()] };
}
