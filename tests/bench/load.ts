import { Agent, request } from "node:http";
import { answerQuestions } from "./helper-process.ts";

/** Load of many concurrent clients, each on a persistent connection, one request after the other. */
export interface LoadQuestion {
  readonly port: number;
  readonly clients: number;
  readonly ms: number;
  readonly path: string;
  /** First number for `#` in `form`; each request has its own. */
  readonly from: number;
  /** Body to post, in which `#` becomes the request's number; without it the path is fetched. */
  readonly form?: string;
  /** Headers added to each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Status that every response must have. */
  readonly status: number;
}
export interface LoadAnswer {
  readonly perSecond: number;
  readonly answers: number;
  /** Number of responses by each other status. */
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
  // Each request comes from another network, so that no rate limit is reached (TRUST_PROXY=1).
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
