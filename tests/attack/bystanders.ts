import { Agent, request } from "node:http";
import { answerQuestions } from "../bench/helper-process.ts";

/**
 * Requests of other clients during an attack: a load balancer's probes, visitors who sign up, an operator at
 * work. They come from a separate process, and each visitor from another address.
 */
export interface BystandersQuestion {
  readonly port: number;
  /** Stamp of a form that was rendered long enough ago. */
  readonly stamp: string;
  /** Cookie header of an operator. */
  readonly session: string;
  readonly ms: number;
}
export interface Seen {
  readonly status: number | string;
  readonly ms: number;
}
export interface BystandersAnswer {
  readonly probes: readonly Seen[];
  readonly signups: readonly Seen[];
  readonly pages: readonly Seen[];
}

/** Pause of each client between two requests, as of a person or a probe. */
const PAUSE_MS = 20;
let visitors = 0;

answerQuestions<BystandersQuestion, BystandersAnswer>(async ({ port, stamp, session, ms }) => {
  const until = performance.now() + ms;

  async function repeat(ask: (agent: Agent) => Promise<number | string>): Promise<Seen[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const seen: Seen[] = [];
    while (performance.now() < until) {
      const began = performance.now();
      const status = await ask(agent);
      seen.push({ status, ms: performance.now() - began });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    agent.destroy();
    return seen;
  }

  function send(options: {
    path: string;
    headers?: Record<string, string>;
    body?: string;
    localAddress?: string;
    agent?: Agent;
  }) {
    const { path, headers = {}, body, localAddress, agent } = options;
    return new Promise<number | string>((resolve) => {
      const method = body === undefined ? "GET" : "POST";
      request(
        { host: "127.0.0.1", port, path, method, headers, localAddress, agent: agent ?? false },
        (answer) => {
          answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
        },
      )
        .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name))
        .end(body);
    });
  }

  const [probes, signups, pages] = await Promise.all([
    repeat((agent) => send({ path: "/healthz", agent })),
    repeat(() => {
      visitors += 1;
      const email = `visitor-${process.pid}-${visitors}@example.com`;
      const body = String(
        new URLSearchParams({ stamp, name: "Ada Byron", email, company: "", role: "", website: "" }),
      );
      return send({
        path: "/early-access",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" },
        body,
        localAddress: `127.${100 + ((visitors >> 16) & 127)}.${(visitors >> 8) & 255}.${visitors & 255}`,
      });
    }),
    repeat((agent) => send({ path: "/admin/notifications", headers: { Cookie: session }, agent })),
  ]);
  return { probes, signups, pages };
});
