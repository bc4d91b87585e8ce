import { z } from "zod";
import { hours, minutes } from "~/lib/durations";
import { UpstreamError } from "~/lib/upstream-error";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import type { Clock } from "~/services/service-deps";
import type { Tenant, TenantDirectory } from "../tenant-directory";

const FRESH_MS = minutes(5);
/** Age up to which a cached list is used while the platform is unreachable. */
const STALE_MS = hours(1);

/** The specification's entity Tenant (section 3); an id is a number or a string, depending on the backend. */
const replySchema = z.array(
  z.object({
    id: z.union([z.string().min(1).max(200), z.number()]).transform(String),
    name: z.string(),
    domain: z
      .string()
      .nullish()
      .transform((domain) => domain ?? ""),
  }),
);

/** Lists the companies of the application's backend, cached for five minutes. */
export class PlatformTenantDirectory implements TenantDirectory {
  readonly #client: PlatformClient;
  readonly #clock: Clock;
  #cached: { readonly tenants: Tenant[]; readonly at: number } | undefined;
  #pending: Promise<Tenant[]> | undefined;

  constructor(deps: { client: PlatformClient; clock: Clock }) {
    this.#client = deps.client;
    this.#clock = deps.clock;
  }

  async list(): Promise<Tenant[]> {
    const cached = this.#cached;
    const age = cached ? this.#clock() - cached.at : Infinity;
    if (cached && age < FRESH_MS) return cached.tenants;
    try {
      return await (this.#pending ??= this.#fetchTenants().finally(() => (this.#pending = undefined)));
    } catch (error) {
      if (error instanceof UpstreamError && cached && age < STALE_MS) return cached.tenants;
      throw error;
    }
  }

  async #fetchTenants(): Promise<Tenant[]> {
    const call = { operation: "list tenants", method: "GET", path: "/api/Tenant/get-tenant-info" } as const;
    const tenants = (await this.#client.request(call, replySchema)).sort(byName);
    this.#cached = { tenants, at: this.#clock() };
    return tenants;
  }
}

const byName = (a: Tenant, b: Tenant): number =>
  a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
