/** A generator of requests no browser sends (hardening R13). The same seed makes the same requests. */

import type { Random } from "../seeded-random";
import { builtRoutes } from "./route-manifest";
import { ODD_TEXTS, PARAMETERS } from "../faults/odd-inputs";

/** Credentials with which some requests pass the guard. */
export interface Credentials {
  readonly cookie: string;
  readonly stamp: string;
}

const METHODS = ["HEAD", "PUT", "TRACE", "get", "", "G\0T", "CONNECT", "OPTIONS", "PRI", "x".repeat(300)];
/** Each is in the list of paths three times, or hardly a request would reach a form's own refusal. */
const FORMS = ["/early-access", "/updates", "/contact"];
/** Without /logout, which would end the session of all that follow. */
const PATHS = builtRoutes()
  .flatMap(({ path }) => [path, `${path}.data`])
  .filter((path) => !path.startsWith("/logout"))
  .concat(
    "/healthz",
    "/readyz",
    "/metrics",
    "/csp-report",
    "/static/x.js",
    "/robots.txt",
    "/unsubscribe/x.y",
    ...FORMS,
    ...FORMS,
    ...FORMS,
  );
const ODD_PATHS = [
  "",
  "*",
  "//",
  "/%",
  "/%zz",
  "/%00",
  "/a%00b",
  "/%c0%af",
  "/%ff",
  "/..",
  "/../../etc/passwd",
  "/.%2e/x",

  "http://e.example/",
  "//e.example/",
  "/\\e",
  "/a b",
  "/\x01",
  "/\xff\xfe",
  "/%F0%9F",
  "/.data",
  "/..data",
  "/_root.data.data",
  "/?_data=routes/login",
  "/login?index",
  "/?index&_routes=%00",
  "/constructor.data",
  "/admin/dashboard?draft=x&send=x&before=x&panel=preview&step=confirm",
  "/admin/outreach/x?after=%ff",

  "/__manifest?version=1&p=/a",
  "/#x",
  "/login#%",
  "/unsubscribe/",
  "/unsubscribe/%2F",
  "/admin//dashboard",
  `/${"a".repeat(2100)}`,
  `/?${"a=b&".repeat(500)}`,
  `/${"%2e%2e%2f".repeat(100)}`,
  "/__proto__",
  "/a;b",
];
const HOSTS = ["localhost", "localhost:80", "", "a b", "[::1", "e.example:99999", "\xff", "a,b", "a\tb"];
const TYPES = [
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "multipart/form-data; boundary=",
  'multipart/form-data; boundary="x',
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded; charset=utf-7",
  "",
  ";",
  "multipart/mixed; boundary=x",
  "\xff",
];
const FIELDS = [...PARAMETERS, "__proto__", "constructor", "", "name[]", "email[x]", "_method", "toString"];
const VALUES = [...ODD_TEXTS, "%00", "%ED%A0%80", "%ff", "a%40example.com", "%0d%0aBcc:%20e", "preview"];

/** A request, valid except for up to two flaws. */
interface Draft {
  method: string;
  path: string;
  version: string;
  headers: [name: string, value: string][];
  body: string;
  lineEnd: string;
}

export function malformedRequest(random: Random, { cookie, stamp }: Credentials): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const times = (most: number) => Array.from({ length: below(most + 1) });
  const noise = (most: number) => String.fromCharCode(...times(most).map(() => below(256)));

  /** Fills a body with fields: a thousand times those of a form. */
  const manyFields = () => {
    const [name, value] = [pick(["a", "", "x", pick(FIELDS)]), pick(["", "=", "=1", `=${pick(VALUES)}`])];
    const isEachAnother = random() < 0.5;
    return Array.from(
      { length: 150 + below(12_000) },
      (_, index) => `${name}${isEachAnother ? index : ""}${value}`,
    )
      .join("&")
      .slice(0, 65_536);
  };
  const urlEncoded = () => {
    if (random() < 0.05) return manyFields();
    const honest = random() < 0.5 ? [`stamp=${stamp}`, "name=Ada", `email=${below(1e6)}@example.com`] : [];
    const odd = times(12).map(() => `${pick(FIELDS)}=${random() < 0.8 ? pick(VALUES) : noise(20)}`);
    return [...honest, ...odd].join(pick(["&", "&", "&", "&&", ";"]));
  };
  const part = () => {
    const name = pick(['"name"', '"email"', "name", '"', '"a\0"', '"__proto__"', '"intent"']);
    const file = pick(["", "", '; filename="a"', "; filename*=utf-8''%", '; filename=""']);
    const more = pick([
      "",
      "",
      "Content-Type: text/plain\r\n",
      "Content-Transfer-Encoding: x\r\n",
      `${noise(9)}\r\n`,
    ]);
    const start = pick(["--x", "--x", "--x", "--x", "-x", "--y", ""]);
    return `${start}\r\nContent-Disposition: form-data; name=${name}${file}\r\n${more}\r\n${noise(30)}\r\n`;
  };
  const multipart = () =>
    (random() < 0.1 ? Array.from({ length: 400 }) : times(4)).map(part).join("") +
    pick(["--x--\r\n", "--x--\r\n", "--x--", "--x", ""]);

  const posts = random() < 0.6;
  const isMultipart = posts && random() < 0.3;
  const draft: Draft = {
    method: posts ? "POST" : "GET",
    path: pick(PATHS),
    version: "HTTP/1.1",
    headers: [
      ["Host", "localhost"],
      ["Sec-Fetch-Site", "same-origin"],
      ["Connection", "close"],
      ["X-Forwarded-For", `10.200.${below(256)}.${below(256)}`],
    ],
    body: posts ? (isMultipart ? multipart() : urlEncoded()) : "",
    lineEnd: "\r\n",
  };
  if (random() < 0.7) draft.headers.push(["Cookie", cookie]);
  const type = isMultipart ? "multipart/form-data; boundary=x" : "application/x-www-form-urlencoded";
  if (posts) draft.headers.push(["Content-Type", type], ["Content-Length", String(draft.body.length)]);

  const set = (name: string, value: string) => {
    draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
  };
  const add = (name: string, value: string) => void draft.headers.push([name, value]);
  const flaws: (() => void)[] = [
    () => (draft.method = pick(METHODS)),
    () => (draft.path = pick(ODD_PATHS)),
    () => (draft.path = pick(ODD_PATHS)),
    () => (draft.path += `?${pick(FIELDS)}=${pick(VALUES)}&${pick(VALUES)}`),
    () => (draft.path += `?_routes=${pick(VALUES)}`),
    () => (draft.path += pick(["?index", ".data", "%00", "/", "#", `?${noise(9)}`])),
    () => (draft.version = pick(["HTTP/1.0", "HTTP/9.9", "HTTP/2.0", "", "http/1.1"])),
    () =>
      (draft.headers = draft.headers.filter(([name]) => name !== pick(["Host", "Sec-Fetch-Site", "Cookie"]))),
    () => set("Host", pick(HOSTS)),
    () => add("Host", "e.example"),
    () => set("Sec-Fetch-Site", pick(["cross-site", "none", "x", ""])),
    () => add("Origin", pick(["null", "http://localhost", "https://e.example", "x", ""])),
    () => set("Cookie", pick(["sid=", "sid=x", "sid=%", ";;;=", "sid=e30=.x", `sid=${"x".repeat(5000)}`])),
    () => set("Content-Type", pick(TYPES)),
    () => set("Content-Type", pick(TYPES)),
    () =>
      set(
        "Content-Length",
        pick(["0", "5", "-1", "x", "1e3", "0x10", String(2 ** 53), String(draft.body.length + 5)]),
      ),
    () => add("Content-Length", "7"),
    () =>
      add(
        "Transfer-Encoding",
        pick(["chunked", "gzip, chunked", "identity", "chunked, chunked", "xchunked"]),
      ),
    () => {
      draft.headers = draft.headers.filter(([name]) => name !== "Content-Length");
      add("Transfer-Encoding", "chunked");
      draft.body = pick(["0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "zz\r\n", "ffffffffff\r\n", ""]);
    },
    () =>
      (draft.body = pick([
        noise(200),
        "x".repeat(70_000),
        "",
        "{}",
        "%".repeat(50),
        "&=&=&",
        "a=".repeat(3000),
      ])),
    () => add("Expect", pick(["100-continue", "x"])),
    () => times(150).forEach((_, index) => add(`X-${index}`, "y")),
    () => add("X-Long", "y".repeat(20_000)),
    () => add(pick(["no colon\r\nX", "", "A\0", "A ", " folded", "X-A"]), noise(30)),
    () => add("Upgrade", pick(["h2c", "websocket"])),
    () => (draft.lineEnd = pick(["\n", "\r"])),
  ];
  for (const _ of times(2)) pick(flaws)();

  const head = [
    `${draft.method} ${draft.path} ${draft.version}`,
    ...draft.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return head.join(draft.lineEnd) + draft.lineEnd.repeat(2) + draft.body;
}
