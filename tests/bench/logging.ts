import { startServer } from "../server-process";
import type { LoadAnswer, LoadQuestion } from "./load";
import { startHelper } from "./helper-process";
import { figure } from "./figure";
import type { Measurement } from "./results";
import { compare } from "./rounds";

const ROUND_SECONDS = 3;
const ROUNDS = { warmUps: 1, rounds: 6 };
const CLIENTS = 16;

/**
 * Measures the cost of a request's log line, from the guard to the log's table: a response of the application,
 * each of which writes a line (docs/decisions/0030), with logging and without.
 */
export async function compareLogging(): Promise<Measurement[]> {
  const [logging, silent] = await Promise.all(
    ["info", "error"].map((LOG_LEVEL) => startServer({ LOG_LEVEL })),
  );
  if (!logging || !silent) throw new Error("Two servers were to start");
  const load = startHelper<LoadQuestion, LoadAnswer>("./load.ts");
  const side = (name: string, { pid, port }: typeof logging) => ({
    name,
    pid,
    round: async () => {
      const ms = ROUND_SECONDS * 1000;
      const wanted = { port, clients: CLIENTS, ms, path: "/sitemap.xml", from: 0, status: 200, headers: {} };
      const { answers, perSecond, others } = await load.ask(wanted);
      if (Object.keys(others).length > 0) throw new Error(`Some answers: ${JSON.stringify(others)}`);
      return { done: answers, perSecond };
    },
  });
  const compared = await compare(side("with its line", logging), side("without", silent), ROUNDS);
  const cost = (compared.product.cpuMs - compared.other.cpuMs) / 1000;
  await Promise.all([logging.remove(), silent.remove(), load.stop()]);
  return [
    { what: "GET /sitemap.xml answered and logged, a second", ...compared, aim: undefined },
    figure("Processor time of a request's line in the log", cost, "ms", 0.1),
  ];
}
