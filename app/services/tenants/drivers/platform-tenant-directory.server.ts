import { z } from "zod";
import { hours, minutes } from "~/lib/durations";
import { UpstreamError } from "~/lib/upstream-error";
import type { Clock } from "~/services/clock";
import type { PlatformClient } from "~/services/platform/platform-client.server";
import type { Tenant, TenantDirectory } from "../tenant-directory";

const FRESH_MS = minutes(5);
/** While the platform is away. */
const STALE_MS = hours(1);

/** The specification's entity Tenant (section 3); backends number them or name them. */
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

/** The application's companies, as its backend lists them. */
export class PlatformTenantDirectory implements TenantDirectory {
  readonly name = "platform";
  readonly #client: PlatformClient;
  readonly #clock: Clock;
  #known: { readonly tenants: Tenant[]; readonly at: number } | undefined;
  #asking: Promise<Tenant[]> | undefined;

  constructor(deps: { client: PlatformClient; clock: Clock }) {
    this.#client = deps.client;
    this.#clock = deps.clock;
  }

  async list(): Promise<Tenant[]> {
    if (this.#known && this.#ageOf(this.#known) < FRESH_MS) return this.#known.tenants;
    try {
      return await (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
    } catch (error) {
      const known = this.#known;
      if (error instanceof UpstreamError && known && this.#ageOf(known) < STALE_MS) return known.tenants;
      throw error;
    }
  }

  async #ask(): Promise<Tenant[]> {
    const call = { operation: "list tenants", method: "GET", path: "/api/Tenant/get-tenant-info" } as const;
    const tenants = (await this.#client.request(call, replySchema)).sort(byName);
    this.#known = { tenants, at: this.#clock() };
    return tenants;
  }

  #ageOf({ at }: { at: number }): number {
    return this.#clock() - at;
  }
}

const byName = (a: Tenant, b: Tenant): number =>
  a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
