import { describe, expect, it } from "vitest";
import { dumpDatabase, readRows, signUp } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const { read, post } = useSuperadmin(server);

let bots = 0;
/** Submits a form with the honeypot filled in; resolves with the stored id. */
async function bot(fields: Record<string, string> = {}): Promise<string> {
  const email = `bot-${++bots}@example.com`;
  const answer = await signUp(server, { stamp: "", website: "https://spam.example", email, ...fields });
  expect(answer.status).toBe(303);
  return String(readRows(server, "select id from submissions where email = ?", fields.email ?? email)[0]?.id);
}
const open = (search = "") => read(`/admin/quarantine${search}`);
const press = (fields: Record<string, string>) => post("/admin/quarantine", fields);

describe("the quarantine", () => {
  it("is not changed by opening the page and its questions (C8)", async () => {
    const id = await bot();
    const before = dumpDatabase(server);
    for (const step of ["release", "purge"]) {
      for (const chosen of [`id=${id}`, `through=${id}`, `through=${id}&form=early-access&reason=honeypot`]) {
        expect(await open(`?step=${step}&${chosen}`)).toContain("<dialog");
      }
    }
    await open("?form=contact-form&reason=too-fast");
    expect(dumpDatabase(server)).toBe(before);
  });

  it.each<[string, Record<string, string>]>([
    ["an unknown button", { intent: "constructor" }],
    ["no id", { intent: "purge" }],
    ["invalid ids", { intent: "purge", id: "../..\0" }],
    ["an invalid end", { intent: "purge", through: "\0" }],
    ["a long end", { intent: "release", through: "x".repeat(3000) }],
    ["invalid filters", { intent: "release", form: "x", reason: "__proto__", id: "x" }],
    ["an invalid page", { intent: "release", before: "x".repeat(3000), id: "x" }],
  ])("is not changed by a form with %s, which redirects to the page (R13)", async (_, fields) => {
    await bot();
    const before = dumpDatabase(server);
    const answer = await press(fields);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toMatch(/^\/admin\/quarantine(\?|$)/);
    expect(dumpDatabase(server)).toBe(before);
  });

  it("asks about all of a page by a URL that is not too long (R17)", async () => {
    await Promise.all(Array.from({ length: 41 }, () => bot()));
    const html = await open("?form=early-access&reason=honeypot");
    const ids = [...html.matchAll(/<input type="checkbox" name="id"[^>]* value="([^"]+)"/g)].map(
      ([, id]) => ["id", id!] as [string, string],
    );
    expect(ids).toHaveLength(40);
    const before = ids.at(-1)![1];
    const filter = { form: "early-access", reason: "honeypot", before, step: "purge" };
    const question = await open(`?${new URLSearchParams([...Object.entries(filter), ...ids])}`);
    expect(question).toContain("Purge 40 submissions?");
  });

  it.each([
    ["markup", "</script><script>x</script><img onerror=x>"],
    ["a template", "{{7*7}}"],
    ["right-to-left text", "\u202Eevil\u202C עברית"],
    ["a line separator", "a\u2028b"],
    ["an emoji sequence", "👩‍👩‍👧‍👦 Familie"],
  ])("shows %s as text in the list and in the question (C14)", async (_, name) => {
    const id = await bot({ name, company: name });
    for (const search of ["", `?step=purge&id=${id}`]) {
      const html = await open(search);
      const shown = name.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(html).toMatch(new RegExp(`<bdi[^>]*>${shown.replace(/[{}*|()?]/g, "\\$&")}</bdi>`));
      expect(html).not.toContain("<script>x");
    }
  });

  it("cuts a long text to 50 graphemes, with the whole text beside it (R25)", async () => {
    const families = "👩‍👩‍👧‍👦".repeat(24);
    const company = families + "é".repeat(32);
    await bot({ company });
    const html = await open();
    expect(html).toContain(`>${families}${"é".repeat(26)}...</bdi>`);
    expect(html).toContain(`>${company}</bdi>`);
  });
});
