import { startServer } from "../server-process";
import type { generateLoad } from "./load";
import { startHelper } from "./helper-process";
import { figure } from "./measurement";
import type { Measurement } from "./results";
import { compare, toSide } from "./rounds";

const ROUND_MS = 3000;
const ROUNDS = { warmUps: 1, rounds: 6 };
const CLIENTS = 16;

/**
 * Measures the cost of a request's log line, from the guard to the log's table: a response of the application,
 * each of which writes a line (docs/decisions/0030), with logging and without.
 */
export async function compareLogging(): Promise<Measurement[]> {
  const [logging, silent] = await Promise.all([
    startServer({ LOG_LEVEL: "info" }),
    startServer({ LOG_LEVEL: "error" }),
  ]);
  const load = startHelper<typeof generateLoad>("./load.ts");
  const side = (name: string, server: typeof logging) => {
    const request = { port: server.port, path: "/sitemap.xml", status: 200 };
    return toSide(name, server, () => load.call({ ...request, clients: CLIENTS, ms: ROUND_MS }));
  };
  const compared = await compare(
    "GET /sitemap.xml answered and logged, a second",
    side("with its line", logging),
    side("without", silent),
    ROUNDS,
  );
  const cost = (compared.product.cpuMs - compared.other.cpuMs) / 1000;
  await Promise.all([logging.remove(), silent.remove(), load.stop()]);
  return [compared, figure("Processor time of a request's line in the log", cost, "ms", 0.1)];
}
