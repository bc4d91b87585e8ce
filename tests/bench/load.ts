import { Agent } from "node:http";
import { serveCalls } from "./helper-process.ts";
import { sendRequest } from "./send-request.ts";

let count = 0;

/**
 * Generates the load of many concurrent clients, each on a persistent connection, one request after the other.
 * @throws when a response has another status.
 */
export async function generateLoad(input: {
  readonly port: number;
  readonly clients: number;
  readonly ms: number;
  readonly path: string;
  /** Body to post, in which `#` becomes the request's number; without it the path is fetched. */
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status that every response must have. */
  readonly status: number;
}) {
  const { port, path, form, clients } = input;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const began = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() - began < input.ms) {
      count += 1;
      // Each request comes from another network, so that no rate limit is reached (TRUST_PROXY=1).
      const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
      const headers = {
        "X-Forwarded-For": address,
        "Accept-Encoding": "gzip, deflate, br",
        ...input.headers,
      };
      const { status } = await sendRequest(
        { port, path, agent, headers },
        form?.replaceAll("#", String(count)),
      );
      if (status !== input.status) throw new Error(`${path} responded ${status}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const perSecond = (1000 * done) / (performance.now() - began);
  agent.destroy();
  return { done, perSecond };
}

serveCalls(generateLoad);
