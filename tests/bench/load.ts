import { Agent, request } from "node:http";
import { answerQuestions } from "./helper-process.ts";

/** Asks as many clients at once do, each on a connection that stays open, one request after the other. */
export interface LoadQuestion {
  readonly port: number;
  readonly clients: number;
  readonly ms: number;
  readonly path: string;
  /** Numbers for `#` in `form` begin here; each request has one of its own. */
  readonly from: number;
  /** Posted when given; otherwise the path is fetched. `#` becomes the request's number. */
  readonly form?: string;
  /** Sent with each request, beside what every request carries. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The status every answer must have. */
  readonly status: number;
}
export interface LoadAnswer {
  readonly perSecond: number;
  readonly answers: number;
  /** Statuses that were not wanted, with their number. */
  readonly others: Readonly<Record<string, number>>;
}

answerQuestions<LoadQuestion, LoadAnswer>(async (wanted) => {
  const agent = new Agent({ keepAlive: true, maxSockets: wanted.clients });
  const others: Record<string, number> = {};
  const began = performance.now();
  let begun = 0;
  let answers = 0;
  const client = async () => {
    while (performance.now() - began < wanted.ms) {
      begun += 1;
      const status = await ask(agent, wanted, wanted.from + begun);
      if (status === wanted.status) answers += 1;
      else others[status] = (others[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: wanted.clients }, client));
  const perSecond = (1000 * answers) / (performance.now() - began);
  agent.destroy();
  return { perSecond, answers, others };
});

function ask(agent: Agent, { port, path, form, ...wanted }: LoadQuestion, number: number): Promise<number> {
  const body = form?.replaceAll("#", String(number));
  // Each from a network of its own, so that no limit is met (TRUST_PROXY=1).
  const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const headers = {
    "X-Forwarded-For": address,
    "Accept-Encoding": "gzip, deflate, br",
    ...wanted.headers,
    ...(body !== undefined && {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": Buffer.byteLength(body),
      "Sec-Fetch-Site": "same-origin",
    }),
  };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, agent, headers }, (answer) => {
      answer.once("error", reject);
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
