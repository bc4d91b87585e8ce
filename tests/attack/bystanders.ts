import { Agent } from "node:http";
import { serveCalls } from "../bench/helper-process.ts";
import { sendRequest } from "../bench/send-request.ts";

export interface TimedResponse {
  readonly status: number | string;
  readonly ms: number;
}

/** Pause between two requests of a kind. */
const PAUSE_MS = 20;
/** So many read by turns that nobody opens more than a page or two a second: a person who does more is a flood. */
const READERS = 50;
let visitors = 0;
let reads = 0;

/**
 * Sends the requests of other clients during an attack: a load balancer's probes, visitors who read and who sign up, an
 * operator at work. They come from a separate process, and each visitor from another network.
 */
export async function visitAsBystanders(input: {
  readonly port: number;
  /** Stamp of a form that was rendered long enough ago. */
  readonly stamp: string;
  /** Cookie header of an operator. */
  readonly session: string;
  readonly ms: number;
}) {
  const { port, stamp, session } = input;
  const until = performance.now() + input.ms;

  async function repeat(send: (agent: Agent) => ReturnType<typeof sendRequest>): Promise<TimedResponse[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const responses: TimedResponse[] = [];
    while (performance.now() < until) {
      const startedAt = performance.now();
      const { status } = await send(agent);
      responses.push({ status, ms: performance.now() - startedAt });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    agent.destroy();
    return responses;
  }

  function signUp() {
    visitors += 1;
    const email = `visitor-${process.pid}-${visitors}@example.com`;
    const form = new URLSearchParams({ stamp, name: "Ada Byron", email, company: "", role: "", website: "" });
    const localAddress = `127.${100 + ((visitors >> 16) & 127)}.${(visitors >> 8) & 255}.${visitors & 255}`;
    return sendRequest({ port, path: "/early-access", localAddress, agent: false }, form.toString());
  }

  function readPage() {
    reads += 1;
    const localAddress = `127.99.${reads % READERS}.1`;
    return sendRequest({ port, path: "/early-access", localAddress, agent: false });
  }

  const [probes, visits, signups, pages] = await Promise.all([
    repeat((agent) => sendRequest({ port, path: "/healthz", agent })),
    repeat(readPage),
    repeat(signUp),
    repeat((agent) =>
      sendRequest({ port, path: "/admin/notifications", headers: { Cookie: session }, agent }),
    ),
  ]);
  return { probes, visits, signups, pages };
}

serveCalls(visitAsBystanders);
