import { beforeAll, describe, expect, it } from "vitest";
import { useServer, useSuperadmin } from "./use-server";
import { dumpDatabase, signUp } from "./visitors";

const server = useServer();
const { read, post } = useSuperadmin(server);

/** The lists whose selected rows are asked about, each with the longest filter that still fits its page. */
const LISTS = {
  submissions: {
    page: "/admin/submissions/early-access",
    question: "Delete 25 submissions?",
    search: {
      step: "delete",
      q: "é".repeat(100),
      from: "2026-01-01",
      to: "2036-01-01",
      choice: "executive",
      source: "x".repeat(100),
      mail: "unsubscribed",
      sort: "address",
      order: "desc",
    },
  },
  quarantine: {
    page: "/admin/quarantine",
    question: "Purge 40 submissions?",
    search: { step: "purge", form: "early-access", reason: "honeypot" },
  },
  suppressions: {
    page: "/admin/suppressions",
    question: "Release 40 addresses?",
    search: { step: "release", prefix: "x".repeat(100), reason: "unsubscribed" },
  },
};
type List = keyof typeof LISTS;

beforeAll(async () => {
  const numbers = Array.from({ length: 41 }, (_, number) => number);
  const bot = { stamp: "", website: "https://spam.example" };
  await Promise.all(
    numbers.flatMap((number) => [
      signUp(server, { email: `person-${number}@example.com` }),
      signUp(server, { email: `bot-${number}@example.com`, ...bot }),
    ]),
  );
  const list = numbers.map((number) => `suppressed-${number}@example.com`).join("\n");
  await post("/admin/suppressions/add", { intent: "many", list });
});

describe("a list", () => {
  // R17
  it.each(Object.entries(LISTS))(
    "of %s asks about all of a page by a URL that is not too long",
    async (_, { page, question, search }) => {
      const html = await read(page);
      const ids = [...html.matchAll(/<input type="checkbox"[^>]* name="id"[^>]* value="([^"]+)"/g)].map(
        ([, id]) => id!,
      );
      expect(ids.length).toBeGreaterThan(1);
      const query = new URLSearchParams({ ...search, before: ids.at(-1)! });
      for (const id of ids) query.append("id", id);
      expect(await read(`${page}?${query}`)).toContain(question);
    },
  );

  it.each(["submissions", "suppressions"] as const)(
    "of %s is behind its question, where no key reaches it",
    async (list) => {
      const { page, search } = LISTS[list];
      const html = await read(page);
      expect(html).not.toContain("inert");
      const [, id = ""] = /<input type="checkbox"[^>]* name="id"[^>]* value="([^"]+)"/.exec(html) ?? [];
      const [behind] = (await read(`${page}?${new URLSearchParams({ step: search.step, id })}`)).split(
        "<dialog",
      );
      expect(behind).toMatch(/<div inert="">.*name="id"/s);
    },
  );

  // R13
  it.each<[List, string, Record<string, string>]>([
    ["submissions", "an unknown button", { intent: "constructor" }],
    ["submissions", "no id", { intent: "delete" }],
    ["submissions", "invalid ids", { intent: "delete", id: "../..\0" }],
    ["submissions", "an invalid end", { intent: "delete", through: "\0" }],
    ["submissions", "a long end", { intent: "delete", through: "9".repeat(3000) }],
    ["submissions", "an invalid deletion", { intent: "undo", deletion: "x".repeat(3000) }],
    ["quarantine", "an unknown button", { intent: "constructor" }],
    ["quarantine", "no id", { intent: "purge" }],
    ["quarantine", "invalid ids", { intent: "purge", id: "../..\0" }],
    ["quarantine", "an invalid end", { intent: "purge", through: "\0" }],
    ["quarantine", "a long end", { intent: "release", through: "x".repeat(3000) }],
    ["quarantine", "invalid filters", { intent: "release", form: "x", reason: "__proto__", id: "x" }],
    ["quarantine", "an invalid page", { intent: "release", before: "x".repeat(3000), id: "x" }],
    ["suppressions", "no id", { intent: "release" }],
    ["suppressions", "invalid ids", { intent: "release", id: "../..\0" }],
    ["suppressions", "an unknown button", { intent: "constructor", id: "x" }],
  ])("of %s is not changed by a form with %s, which redirects to it", async (list, _, fields) => {
    const { page } = LISTS[list];
    const before = dumpDatabase(server);
    const answer = await post(`${page}?reason=__proto__&before=%00`, fields);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")?.split("?")[0]).toBe(page);
    expect(dumpDatabase(server)).toBe(before);
  });
});
