import { Agent } from "node:http";
import { sendRequest } from "../bench/send-request";
import type { ServerProcess } from "../server-process";

interface Signup {
  readonly email: string;
  readonly name: string;
}

/** Creates visitors who sign up concurrently. */
export function createVisitors(server: ServerProcess, stamp: string) {
  /** Signups posted so far; repeated posts have the same content. */
  const posted = new Map<string, Signup>();
  /** Signups that got a 303 to the thank-you page. */
  const acknowledged = new Set<string>();
  const unexpected: string[] = [];
  /** Number of requests and responses. */
  let events = 0;
  let requests = 0;

  return { posted, acknowledged, unexpected, getEvents: () => events, signUpUntilGone, retryUnacknowledged };

  /** Starts this many visitors, each posting one signup after the other until the server is gone. */
  async function signUpUntilGone(clients: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const browse = async () => {
      while (await post(agent, createSignup()));
    };
    await Promise.all(Array.from({ length: clients }, browse));
    agent.destroy();
  }

  /** Posts unacknowledged signups again, as a person would. */
  async function retryUnacknowledged(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const unacknowledged = [...posted.values()].filter(({ email }) => !acknowledged.has(email));
    await Promise.all(unacknowledged.map((signup) => post(agent, signup)));
    agent.destroy();
  }

  function createSignup(): Signup {
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
    // Each request comes from another network, so that no rate limit is reached (TRUST_PROXY=1).
    const network = `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`;
    const headers = { "X-Forwarded-For": network };
    const request = { port: server.port, path: "/early-access", agent, headers };
    const { status, location } = await sendRequest(request, form.toString());
    if (typeof status === "string") return false;
    events += 1;
    if (status === 303 && location === "/early-access?notice=registered") acknowledged.add(email);
    else unexpected.push(`${email}: ${status} ${location}`);
    return true;
  }
}
