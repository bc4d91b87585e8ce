import { rmSync } from "node:fs";
import { seconds } from "~/lib/durations";
import { startSmtpServer } from "../fakes/smtp-server";
import { getSampleValue, METRICS, scrape } from "../exposition";
import { until } from "../faults/until";
import { copyTables, putTablesBack } from "../put-back";
import { BEHIND_A_PROXY } from "../server/visitors";
import { startServer, type ServerProcess } from "../server-process";

export type RunningProduct = Awaited<ReturnType<typeof startProduct>>;

type Settings = Readonly<Record<string, string>>;

/** Signs the forms' stamps, so that a journey can age one (`ageForm`). */
export const FORM_SECRET = "the forms of the browser journeys are signed with this";

/**
 * Settings of several files that do not disturb each other: in one object, so that their journeys share a server. It logs
 * nothing itself, holds campaigns for ten minutes, asks how somebody heard of us, and trusts the address of `someone()`.
 */
export const OTHER_SETTINGS: Record<string, string> = {
  ...BEHIND_A_PROXY,
  LOG_LEVEL: "fatal",
  MAIL_HOLD_SECONDS: "600",
  HEARD_FROM: "on",
};

/** Servers that a worker keeps besides the one with the usual settings. */
const MAX_OTHERS = 2;

/** Starts the built product with a temporary superadmin password, and the mail server it sends to. */
export async function startProduct(settings: Settings = {}) {
  const smtp = await startSmtpServer();
  const product = await startServer({
    ...smtp.environment,
    SUPERADMIN_PASSWORD: "",
    FORM_SECRET,
    ...METRICS,
    ...settings,
  });
  return {
    product,
    smtp,
    remove: async () => {
      await product.remove();
      await smtp.close();
    },
  };
}

interface SharedServer extends RunningProduct {
  /** A copy of the database as it was just after the start. */
  readonly copy: string;
}

/** One server with the usual settings, and those used last with others. Tables are restored between journeys. */
export class SharedServers {
  /** By settings, the one used last at the end. */
  readonly #servers = new Map<string, SharedServer>();

  async get(settings: Settings): Promise<RunningProduct> {
    const name = getName(settings);
    const kept = this.#servers.get(name) ?? (await this.#start(settings));
    this.#servers.delete(name);
    this.#servers.set(name, kept);
    return kept;
  }

  /** Waits for the journey's requests and restores the tables. */
  async reset(settings: Settings): Promise<void> {
    const kept = this.#servers.get(getName(settings));
    if (!kept) return;
    await untilRequestsEnded(kept.product);
    await putTablesBack(kept.product, kept.copy);
    kept.smtp.reset();
  }

  async remove(): Promise<void> {
    for (const name of this.#servers.keys()) await this.#remove(name);
  }

  async #start(settings: Settings): Promise<SharedServer> {
    if (getName(settings) !== getName({})) {
      const others = [...this.#servers.keys()].filter((name) => name !== getName({}));
      const surplus = Math.max(0, others.length + 1 - MAX_OTHERS);
      for (const name of others.slice(0, surplus)) await this.#remove(name);
    }
    const running = await startProduct(settings);
    return { ...running, copy: copyTables(running.product) };
  }

  async #remove(name: string): Promise<void> {
    const kept = this.#servers.get(name);
    this.#servers.delete(name);
    await kept?.remove();
    if (kept) rmSync(kept.copy, { force: true });
  }
}

const getName = (settings: Settings) => JSON.stringify(Object.entries(settings).sort());

/** Waits for requests of pages that were closed. */
function untilRequestsEnded(product: ServerProcess): Promise<void> {
  const areNone = async () => {
    const metrics = await scrape(product);
    const waits = getSampleValue(metrics, "frontdesk_http_dependency_waits", { dependency: "database" }) ?? 0;
    return (
      waits === 0 &&
      ["running", "waiting"].every(
        (state) => getSampleValue(metrics, `frontdesk_http_requests_${state}`) === 0,
      )
    );
  };
  return until("the end of all requests", areNone, { withinMs: seconds(10), everyMs: 20 });
}
