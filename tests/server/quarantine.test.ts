import { describe, expect, it } from "vitest";
import { readRows, signUp } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const { get, read } = useSuperadmin(server);

let bots = 0;
/** Submits a form with the honeypot filled in; resolves with the stored id. */
async function bot(fields: Record<string, string> = {}): Promise<string> {
  const email = `bot-${++bots}@example.com`;
  const answer = await signUp(server, { stamp: "", website: "https://spam.example", email, ...fields });
  expect(answer.status).toBe(303);
  return String(readRows(server, "select id from submissions where email = ?", fields.email ?? email)[0]?.id);
}
const open = (search = "") => read(`/admin/quarantine${search}`);

describe("the quarantine", () => {
  it("keeps its page when there is nothing to ask about", async () => {
    const id = await bot();
    const list = `/admin/quarantine?form=early-access&before=${id}`;
    const getLocation = async (search: string) => (await get(`${list}${search}`)).headers.get("Location");
    expect(await getLocation("&step=purge")).toBe(`${list}&notice=nothing-selected`);
    const gone = crypto.randomUUID();
    expect(await getLocation(`&step=purge&id=${gone}`)).toBe(`${list}&notice=already-settled`);
  });

  it("keeps its page in the links that ask about all that match", async () => {
    const list = `/admin/quarantine?form=early-access&before=${await bot()}`;
    const newest = await bot();
    expect(await read(list)).toContain(
      `href="${list}&through=${newest}&step=purge"`.replaceAll("&", "&amp;"),
    );
  });

  // C14
  it.each([
    ["markup", "</script><script>x</script><img onerror=x>"],
    ["a template", "{{7*7}}"],
    ["right-to-left text", "\u202Eevil\u202C עברית"],
    ["a line separator", "a\u2028b"],
    ["an emoji sequence", "👩‍👩‍👧‍👦 Familie"],
  ])("shows %s as text in the list and in the question", async (_, name) => {
    const id = await bot({ name, company: name });
    for (const search of ["", `?step=purge&id=${id}`]) {
      const html = await open(search);
      const shown = name.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      expect(html).toMatch(new RegExp(`<bdi[^>]*>${shown.replace(/[{}*|()?]/g, "\\$&")}</bdi>`));
      expect(html).not.toContain("<script>x");
    }
  });

  // R25
  it("cuts a long text to 50 graphemes, with the whole text beside it", async () => {
    const families = "👩‍👩‍👧‍👦".repeat(24);
    const company = families + "é".repeat(32);
    await bot({ company });
    const html = await open();
    expect(html).toContain(`>${families}${"é".repeat(26)}...</bdi>`);
    expect(html).toContain(`>${company}</bdi>`);
  });
});
