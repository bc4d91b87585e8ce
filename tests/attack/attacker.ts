import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { serveCalls } from "../bench/helper-process.ts";
import { sendRequest } from "../bench/send-request.ts";
import type { Attack } from "./attacks.ts";

// Node runs this file without a build: erasable types, no aliases.

const CONCURRENCY = 100;
const LIMIT = 65_536;

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const fill = (part: (index: number) => string, separator: string) => {
  const parts: string[] = [];
  for (let length = 0, index = 0; length < LIMIT - 64; index += 1) {
    const next = part(index);
    parts.push(next);
    length += next.length + separator.length;
  }
  return parts.join(separator);
};
/** A body makes a request a POST, by default of a form. */
const form = (path: string, body: string): Sent => ({ path, body });
const json = (path: string, body: string, headers: Sent["headers"] = {}): Sent => ({
  path,
  headers: { "Content-Type": "application/json", ...headers },
  body,
});

const FORM_PAGES = ["/contact", "/early-access", "/updates", "/login"];
const manyNames = fill((index) => `f${index}=`, "&");
const MANY_FIELDS: readonly Sent[] = FORM_PAGES.map((path) => form(path, manyNames));

const nested = fill(() => '{"a":[', "");
const manyKeys = `{${fill((index) => `"k${index}":0`, ",")}}`;
const parts = `${fill((index) => `--x\r\nContent-Disposition: form-data; name="${index}"\r\n\r\n1`, "\r\n")}\r\n--x--`;
const REPEATED_PAIRS = ["a=1", "%", "%25=%25", "a", "a[b][c]=", "%F0%9F%98%80="];
const WORST_SHAPES: readonly Sent[] = [
  ...REPEATED_PAIRS.flatMap((pair) => {
    const pairs = fill(() => pair, "&");
    return [form("/contact", pairs), form("/login", pairs)];
  }),
  form("/contact", `message=${"e\u0301\u0327".repeat(13_000)}`.slice(0, 32_000)),
  { path: "/unsubscribe/x", headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: parts },
  json("/api/Email/send-email", manyKeys),
  json("/api/Email/send-email", nested),
  json("/api/DeviceToken", manyKeys),
  json("/api/bounces", `{"events":[${fill(() => '{"type":"bounce"}', ",")}]}`),
  json("/csp-report", manyKeys.slice(0, 8000)),
  { path: "/early-access", headers: { Cookie: fill((index) => `c${index}=`, ";").slice(0, 15_000) } },
  { path: `/early-access?${"a&".repeat(900)}` },
  { path: `/admin/logs?${"level=INFO&".repeat(180)}` },
];
const FORGED: readonly Sent[] = ["/", "/admin/dashboard", "/early-access", "/?notice=registered"].map(
  (path) => ({
    path,
    headers: {
      Cookie: `sid=${Buffer.from(JSON.stringify("x".repeat(43))).toString("base64url")}.${"A".repeat(43)}`,
    },
  }),
);
const INVALID_TEXTS = ["\0", "\ud800", "\uffff", "\u202e", "\u0001", "a".repeat(5000)];
const REGISTRATIONS: readonly Sent[] = [...INVALID_TEXTS, "x"].flatMap((text) => [
  json(
    "/api/DeviceToken",
    JSON.stringify({ token: `https://push.example/${text}`, userId: text, appType: text }),
  ),
  json("/api/DeviceToken", JSON.stringify({ token: text, userId: "x", appType: "landing" }), {
    Authorization: "Bearer x.y.z",
  }),
  { method: "POST", path: "/api/visitor" },
]);
const INVALID_ENCODINGS: readonly Sent[] = ["%00", "%ED%A0%80", "%EF%BF%BF", "%E2%80%AE", "%01"].flatMap(
  (text) => [
    form("/contact", `fullName=${text}&email=${text}&inquiryType=${text}&message=${text}&stamp=${text}`),
    form("/login", `email=${text}&password=${text}`),
    { path: `/early-access?notice=${text}` },
    { path: `/unsubscribe/${text === "%00" ? "x" : text}` },
    json("/api/signups/contact", `{"fullName":"${text}"}`, { Authorization: `Bearer ${text}` }),
  ],
);

const MISSING_FILES: readonly Sent[] = Array.from({ length: 200 }, (_, index) => ({
  path: index % 2 ? `/x${index}.php` : `/static/assets/root-${index}.js`,
}));
const EARLIER_DATA: readonly Sent[] = ["/", "/early-access", "/login", "/admin/dashboard", "/x"].flatMap(
  (path) => [{ path: `${path}?_data=root` }, { path: `${path}?%5Fdata=routes/x` }],
);
const OFFICE_PAGES = ["/admin/dashboard", "/admin/logs", "/admin/submissions/early-access"];
const withCookie = (cookie: string): readonly Sent[] =>
  [...OFFICE_PAGES, "/early-access"].map((path) => ({ path, headers: { Cookie: cookie } }));
const createEmails = (token: string): readonly Sent[] =>
  Array.from({ length: 100 }, (_, index) =>
    json(
      "/api/Email/send-email",
      JSON.stringify({ ToEmail: `ada-${index}@example.com`, Subject: "Hello", Content: "<p>Hello</p>" }),
      { Authorization: `Bearer ${token}` },
    ),
  );
/** The server trusts the address that a proxy reports: here one of a customer's 65,536 networks each. */
const GUESSES_FROM_A_SITE: readonly Sent[] = Array.from({ length: 5000 }, (_, index) => ({
  ...form("/login", `email=superadmin@example.com&password=guess-${index}`),
  headers: { "X-Forwarded-For": `2001:db8:7:${index.toString(16)}::1` },
}));

/** Attacks a server for `ms`. @returns the number of responses by status or error code. */
export async function runAttack(input: {
  readonly attack: Attack;
  readonly port: number;
  /** Local addresses to attack from, in rotation. */
  readonly addresses: readonly string[];
  readonly ms: number;
  /** What an attacker may have: a token for emails, an operator's session, and one that has ended. */
  readonly token: string;
  readonly session: string;
  readonly endedSession: string;
}) {
  const { attack, port, addresses, ms, token, session, endedSession } = input;
  const responses: Record<string, number> = {};
  const count = (what: string | number) => (responses[what] = (responses[what] ?? 0) + 1);
  const until = performance.now() + ms;
  const isOver = () => performance.now() >= until;
  const getAddress = (index: number) => addresses[index % addresses.length] ?? "127.0.0.1";
  const sockets = new Set<Socket>();

  async function send({ headers, body, ...request }: Sent, agent: Agent, localAddress: string) {
    const all = { "Sec-Fetch-Site": "same-origin", ...headers };
    const { status } = await sendRequest({ port, headers: all, agent, localAddress, ...request }, body);
    count(status);
    // Pauses, so that a server that closes connections is not hit in a tight loop.
    if (typeof status === "string") await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Sends requests from CONCURRENCY clients, each as soon as its last one was answered. */
  async function loop(requests: readonly Sent[]): Promise<void> {
    const loops = Array.from({ length: CONCURRENCY }, async (_, index) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let next = index; !isOver(); next += 1) {
        const sent = requests[next % requests.length];
        if (sent) await send(sent, agent, getAddress(index));
      }
      agent.destroy();
    });
    await Promise.all(loops);
  }

  function open(index: number): Socket {
    const socket = connect({ host: "127.0.0.1", port, localAddress: getAddress(index) });
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    return socket;
  }

  /** Keeps `many` request bodies open, each of which sends at most a byte now and then. */
  async function slowBodies(many: number, drip: boolean): Promise<void> {
    const head =
      "POST /login HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    for (let index = 0; !isOver();) {
      for (let begun = 0; begun < 200 && sockets.size < many; begun += 1, index += 1) {
        open(index)
          .on("data", (data) => count(String(data).slice(9, 12)))
          .write(`${head}Content-Length: 60000\r\n\r\nemail=`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (drip) for (const socket of sockets) socket.write("a");
    }
  }

  /** Sends many requests at once on connections from which nothing is read. */
  async function leaveUnread(): Promise<void> {
    const each = Math.max(1, Math.floor(400 / addresses.length));
    const requests = "GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(each);
    while (!isOver()) {
      for (const index of addresses.keys()) open(index).pause().write(requests);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  const createGuesses = (): readonly Sent[] =>
    Array.from({ length: 500 }, (_, index) =>
      form(
        "/login",
        `email=${index % 2 ? "superadmin@example.com" : `nobody-${index}@example.com`}&password=guess-${index}`,
      ),
    );

  const run: Record<Attack, () => Promise<void>> = {
    "forms of 17,000 fields": () => loop(MANY_FIELDS),
    "the worst shapes of every kind of body": () => loop(WORST_SHAPES),
    "300 bodies that never come": () => slowBodies(300, false),
    "3,000 bodies that drip in": () => slowBodies(3000, true),
    "400 pipelined requests whose responses nobody reads": leaveUnread,
    "forged session cookies": () => loop(FORGED),
    "100 loops of guessed passwords": () => loop(createGuesses()),
    "emails of one token to a mail server that is slow": () => loop(createEmails(token)),
    "pages with the cookie of an ended session": () => loop(withCookie(endedSession)),
    "an operator's pages": () => loop(withCookie(session)),
    "paths that look like files": () => loop(MISSING_FILES),
    "passwords guessed from a /48": () => loop(GUESSES_FROM_A_SITE),
    "the data parameter of earlier Remix": () => loop(EARLIER_DATA),
    "hostile push registrations": () => loop(REGISTRATIONS),
    "odd characters everywhere": () => loop(INVALID_ENCODINGS),
  };
  await run[attack]();
  for (const socket of sockets) socket.destroy();
  return responses;
}

serveCalls(runAttack);
