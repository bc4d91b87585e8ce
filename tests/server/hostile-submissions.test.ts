import { beforeAll, expect, it } from "vitest";
import { cleanText } from "~/lib/clean-text";
import { minutes } from "~/lib/durations";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { pickOne } from "~/lib/random";
import { between, createRandom, type Random } from "../seeded-random";
import { chooseSize } from "../sizes";
import { formPost } from "../server-process";
import { FORM_PATHS, readRows, someone, stampOfAPerson, type FormPath } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const SEED = 20_261_121;
const SUBMISSIONS = chooseSize({ daily: 120, full: 10_000 });
const CONCURRENCY = 25;
/** The test takes half a minute on two free cores: nearly every response is a rendered page. */
const TIMEOUT_MS = minutes(5);
/** One submission of this many has a field of 10 MB. */
const HUGE_EVERY = chooseSize({ daily: 40, full: 1000 });
const HUGE = "a".repeat(10_000_000);

const server = useServer();
const superadmin = useSuperadmin(server);
let stamp: string;
beforeAll(async () => {
  stamp = await stampOfAPerson(server);
});

it(
  `of ${SUBMISSIONS} hostile submissions none is answered 5xx, stored damaged or shown as anything but text (C14, C25, R25)`,
  async () => {
    const random = createRandom(SEED);
    const statuses = new Map<number, number>();
    const accepted = new Map<string, Record<string, string>>();
    let sent = 0;
    const submitAll = async () => {
      while (sent < SUBMISSIONS) {
        sent += 1;
        const email = `person-${sent}@example.com`;
        const path = pickOne(random, FORM_PATHS);
        const fields = createFields(path, random, email, sent % HUGE_EVERY === 0);
        const { status } = await server.fetch(path, createRequest(random, fields));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 303) accepted.set(email, fields);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, submitAll));

    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    // The generator makes forms of every kind.
    for (const status of [303, 413, 415, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
    expect(statuses.get(303)).toBeGreaterThan(SUBMISSIONS / 5);

    const rows = readRows(server, "select email, name, company, message, state from submissions");
    expect(rows).toHaveLength(accepted.size);
    for (const { email, name, company, message } of rows) {
      const typed = accepted.get(String(email));
      expect([name, company, message]).toEqual(
        [typed?.name ?? typed?.fullName, typed?.company, typed?.message].map((text) => cleanText(text ?? "")),
      );
    }
    expect(readRows(server, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);

    for (const path of ["/admin/dashboard", "/admin/quarantine", "/admin/activity"]) {
      expect(await superadmin.read(path)).not.toMatch(/<script>document|<img src=x|<svg onload/);
    }
    expect(server.output()).not.toMatch(
      /unhandled rejection|uncaught exception|could not be (?:handled|stored)/,
    );
  },
  TIMEOUT_MS,
);

function createFields(
  path: FormPath,
  random: Random,
  email: string,
  isHuge: boolean,
): Record<string, string> {
  const text = (most: number) => {
    const parts = Array.from({ length: between(random, 1, most) }, () => pickOne(random, HOSTILE_TEXTS));
    return random() < 0.05 ? parts.join("").repeat(200) : parts.join(" ");
  };
  const common = {
    stamp: random() < 0.1 ? text(1) : stamp,
    website: random() < 0.1 ? text(1) : "",
    email: random() < 0.1 ? text(1) : email,
  };
  if (path === "/updates") return { ...common, name: isHuge ? HUGE : text(2) };
  if (path === "/early-access") {
    return {
      ...common,
      name: isHuge ? HUGE : text(2),
      company: text(2),
      role: random() < 0.2 ? text(1) : "other",
    };
  }
  const inquiryType = random() < 0.2 ? text(1) : "support";
  return { ...common, fullName: text(2), inquiryType, message: isHuge ? HUGE : text(6) };
}

/** Creates a request as a browser sends a form; some have another type, are broken, or repeat a field. */
function createRequest(random: Random, fields: Record<string, string>): RequestInit {
  const kind = random();
  const post = formPost(fields, someone());
  const headers = post.headers as Record<string, string>;
  if (kind < 0.02)
    return {
      ...post,
      body: JSON.stringify(fields),
      headers: { ...headers, "Content-Type": "application/json" },
    };
  if (kind < 0.04) {
    const broken = { ...headers, "Content-Type": "multipart/form-data; boundary=x" };
    return {
      ...post,
      body: `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nno end`,
      headers: broken,
    };
  }
  if (kind < 0.06) {
    const form = new FormData();
    for (const name of Object.keys(fields)) form.set(name, new Blob(["a file"]), "../evil.exe");
    return { ...post, body: form };
  }
  if (kind < 0.08) {
    const twice = new URLSearchParams(fields);
    for (const name of Object.keys(fields)) twice.append(name, "again");
    return { ...post, body: twice };
  }
  return post;
}
