import { expect, it } from "vitest";
import { startOfDay } from "~/lib/utc-day";
import { ask } from "../../server/fixtures/raw-http";
import { removeAfterTest } from "../fixture";
import { startServer } from "../server-process";
import { bearer, makeToken } from "./made-tokens";
import { useServer, useSuperadmin } from "./use-server";
import { execute, readRows, signUp, someone, submit } from "./visitors";

const VISIT = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site" };

const server = useServer();
const superadmin = useSuperadmin(server);
const getSource = (email: string) =>
  readRows(server, "select source from submissions where email = ?", email)[0]?.source;

it.each([
  ["nothing", {}, "unknown"],
  ["an empty text", { source: "" }, "unknown"],
  ["a source", { source: "Newsletter / Email" }, "newsletter / email"],
  ["markup", { source: '"><script>alert(1)</script>' }, '"><script>alert(1)</script>'],
  ["a long text", { source: "é".repeat(3000) }, "é".repeat(100)],
])("a form with %s as its source is stored", async (name, fields, source) => {
  const email = `${name.replaceAll(" ", "-")}@example.com`;
  expect((await signUp(server, { email, ...fields })).status).toBe(303);
  expect(getSource(email)).toBe(source);
});

it("a refused form does not show its source", async () => {
  const answer = await signUp(server, { email: "no address", source: "seen-nowhere" });
  expect(answer.status).toBe(422);
  expect(await answer.text()).not.toContain("seen-nowhere");
});

it("a program gives the source, or is api", async () => {
  const token = await makeToken(server, superadmin.cookie, { scopes: ["signups:write"] });
  const call = (body: object) =>
    server.fetch("/api/signups/updates", {
      method: "POST",
      headers: { ...bearer(token), "Content-Type": "application/json", ...someone() },
      body: JSON.stringify({ name: "Ada", ...body }),
    });
  expect((await call({ email: "fair@example.com", source: "Autumn Fair" })).status).toBe(200);
  expect((await call({ email: "api@example.com" })).status).toBe(200);
  expect((await call({ email: "long@example.com", source: "x".repeat(1001) })).status).toBe(422);
  expect((await call({ email: "list@example.com", source: ["a"] })).status).toBe(422);
  expect([getSource("fair@example.com"), getSource("api@example.com")]).toEqual(["autumn fair", "api"]);
});

it("the table, its filter, its file and the person's page have the source", async () => {
  await submit(server, "/updates", { email: "one@example.com", source: "Poster / <b>" });
  await submit(server, "/updates", { email: "two@example.com", source: "radio" });
  const table = "/admin/submissions/updates-signup";
  const filtered = await superadmin.read(`${table}?source=Poster+%2F++%3Cb%3E`);
  expect(filtered).toContain("one@example.com");
  expect(filtered).not.toContain("two@example.com");
  expect(filtered).toContain("poster / &lt;b&gt;");
  const csv = await (await superadmin.post(`${table}/export?source=radio`)).text();
  expect(csv).toMatch(/^"Timestamp","Name","Email","Email status","Source"\r\n[^\r]*"radio"\r\n$/);
  const [{ id } = {}] = readRows(server, "select id from people where email = 'two@example.com'");
  expect(await superadmin.read(`/admin/people/${String(id)}`)).toContain("radio");
});

it("visits are stored when the server stops, and seen beside the signups", async () => {
  const own = removeAfterTest(await startServer());
  const visit = (path: string, headers: Record<string, string> = {}) =>
    ask(own.port, `GET ${path}`, { ...VISIT, ...headers });
  await visit("/?utm_source=Mail");
  await visit("/?utm_source=mail");
  // The application answers it: the guard does not know the parameter.
  await visit("/?utm_source=mail&ref=unknown");
  await visit("/", { Referer: "https://www.news.example/today" });
  // No visits: a program, a page of ours, a data request, and the application's own pages.
  await own.fetch("/?utm_source=mail");
  await visit("/?utm_source=mail", { "Sec-Fetch-Site": "same-origin" });
  await visit("/?utm_source=mail", { "Sec-Fetch-Dest": "empty" });
  await visit("/robots.txt");
  await signUp(own, { source: "mail" });
  await own.stop();
  expect(readRows(own, "select source, count from landing_visits order by source")).toEqual([
    { source: "mail", count: 3 },
    { source: "news.example", count: 1 },
  ]);
});

it("the screen of sources has visits, signups and their rate", async () => {
  await superadmin.get("/");
  const html = await superadmin.read("/admin/dashboard/sources?over=year");
  expect(html).toContain("Visits and signups by source");
  expect(html).toContain("autumn fair");
  expect(html).not.toContain("<b>");
  expect((await superadmin.get("/admin/dashboard/sources?over=constructor")).status).toBe(200);
});

it("says how many sources are not shown, whose numbers may be those of a shown one", async () => {
  const today = startOfDay(Date.now());
  for (let count = 0; count < 110; count += 1)
    execute(server, `insert into landing_visits values (${today}, 'one of many ${count}', 1)`);
  expect(await superadmin.read("/admin/dashboard/sources")).toMatch(/>\d+ more sources are not shown\.</);
});
