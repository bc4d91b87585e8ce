import { cleanText, codePoints } from "~/lib/clean-text";
import { decodeText } from "~/lib/decode-text";
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
  | { problem: "no-id" | "no-name" | "too-long" | "twice" | "encoding" | "open-quote"; line: number };
type TenantImport = { ok: true; count: number } | ({ ok: false } & TenantFileProblem);

/**
 * Upserts the companies of a CSV file with the columns id, name and domain, in any order; without the column domain, known
 * companies keep theirs. Removes none, because broadcasts and devices may refer to it. An invalid file changes nothing.
 * @param file its bytes, in UTF-8 or UTF-16.
 */
export async function importTenants(deps: ServiceDeps, file: Uint8Array): Promise<TenantImport> {
  const read = readTenants(file);
  if (!read.ok) return read;
  const { tenants, hasDomains } = read;
  const now = deps.clock();
  await deps.database.write(async (trx) => {
    for (let at = 0; at < tenants.length; at += CHUNK) {
      await trx
        .insertInto("tenants")
        .values(tenants.slice(at, at + CHUNK).map((tenant) => ({ ...tenant, updated_at: now })))
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet(({ ref }) => ({
            name: ref("excluded.name"),
            ...(hasDomains && { domain: ref("excluded.domain") }),
            updated_at: ref("excluded.updated_at"),
          })),
        )
        .execute();
    }
    await createAudit(deps)(trx, SYSTEM, { action: "import-tenants", subject: String(tenants.length) });
  });
  return { ok: true, count: tenants.length };
}

function readTenants(
  file: Uint8Array,
): { ok: true; tenants: Tenant[]; hasDomains: boolean } | ({ ok: false } & TenantFileProblem) {
  const decoded = decodeText(file);
  if (!decoded.ok) return { ok: false, problem: "encoding", line: decoded.line };
  const csv = readCsv(decoded.text);
  if (!csv.ok) return { ok: false, problem: "open-quote", line: csv.line };
  const [first, ...records] = csv.records;
  const header = first?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  if (!header.includes("id") || !header.includes("name")) return { ok: false, problem: "no-header" };
  const known = new Map<string, Tenant>();
  for (const { cells, line } of records) {
    if (cells.every((cell) => cell.trim() === "")) continue;
    // The decoded text holds no NUL, which alone makes a text undefined.
    const [id = "", name = "", domain = ""] = COLUMNS.map((column) =>
      cleanText(cells[header.indexOf(column)] ?? ""),
    );
    if (id === "") return { ok: false, problem: "no-id", line };
    if (name === "") return { ok: false, problem: "no-name", line };
    const tenant = { id, name, domain };
    if (COLUMNS.some((column) => codePoints(tenant[column]) > LIMITS[column])) {
      return { ok: false, problem: "too-long", line };
    }
    if (known.has(id)) return { ok: false, problem: "twice", line };
    known.set(id, tenant);
  }
  return { ok: true, tenants: [...known.values()], hasDomains: header.includes("domain") };
}
