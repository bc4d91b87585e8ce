import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerProcess } from "../server-process";

/** A signup as posted by one of many concurrent browsers. */

export interface Signup {
  readonly email: string;
  readonly name: string;
}

export interface Visitors {
  /** Signups posted so far; repeated posts have the same content. */
  readonly posted: ReadonlyMap<string, Signup>;
  /** Signups that got a 303 to the thank-you page. */
  readonly acknowledged: ReadonlySet<string>;
  /** Other responses. */
  readonly surprises: readonly string[];
  /** Numbers of requests and responses. */
  events(): number;
  /** Starts this many visitors, each posting one signup after the other until the server is gone. */
  crowd(clients: number): Promise<void>;
  /** Posts again what was never acknowledged, as a person would. */
  tryAgain(): Promise<void>;
}

export function createVisitors(server: ServerProcess, stamp: string): Visitors {
  const posted = new Map<string, Signup>();
  const acknowledged = new Set<string>();
  const surprises: string[] = [];
  let events = 0;
  let requests = 0;

  return { posted, acknowledged, surprises, events: () => events, crowd, tryAgain };

  async function crowd(clients: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const browse = async () => {
      for (let there = true; there;) there = await post(agent, newcomer());
    };
    await Promise.all(Array.from({ length: clients }, browse));
    agent.destroy();
  }

  async function tryAgain(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const left = [...posted.values()].filter(({ email }) => !acknowledged.has(email));
    await Promise.all(left.map((signup) => post(agent, signup)));
    agent.destroy();
  }

  function newcomer(): Signup {
    const number = posted.size + 1;
    const signup = { email: `visitor-${number}@signup.test`, name: `Visitor ${number}` };
    posted.set(signup.email, signup);
    return signup;
  }

  /** @returns whether the server answered. */
  async function post(agent: Agent, { email, name }: Signup): Promise<boolean> {
    events += 1;
    requests += 1;
    const form = new URLSearchParams({ name, email, company: "", role: "developer", stamp, website: "" });
    const answer = await send(agent, server.port, form.toString(), getNetworkHeaders(requests)).catch(
      () => undefined,
    );
    if (!answer) return false;
    events += 1;
    if (answer.status === 303 && answer.location === "/early-access?notice=registered")
      acknowledged.add(email);
    else surprises.push(`${email}: ${answer.status} ${answer.location}`);
    return true;
  }
}

/** Gives each request its own network, so that no rate limit is reached (TRUST_PROXY=1). */
function getNetworkHeaders(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/** Returns a stamp of the page once it is old enough for a person's; it is valid for a day, also after restarts. */
export async function honestStamp(server: ServerProcess): Promise<string> {
  const html = await (await server.fetch("/early-access")).text();
  const stamp = /name="stamp" value="([^"]+)"/.exec(html)?.[1];
  if (!stamp) throw new Error("The form has no stamp");
  const madeAt = parseInt(stamp, 36) * 1000;
  await pause(Math.max(0, madeAt + 2100 - Date.now()));
  return stamp;
}

function send(
  agent: Agent,
  port: number,
  body: string,
  address: string,
): Promise<{ status: number; location: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": Buffer.byteLength(body),
      "Sec-Fetch-Site": "same-origin",
      "X-Forwarded-For": address,
    };
    const options = { host: "127.0.0.1", port, path: "/early-access", method: "POST", agent, headers };
    const ask = request(options, (answer) => {
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" }),
      );
      answer.resume();
    });
    ask.on("error", reject);
    ask.end(body);
  });
}
