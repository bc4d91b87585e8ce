import { beforeAll, describe, expect, it } from "vitest";
import { addUser, becomeAdmin, getCookie, logInAs } from "./operators";
import { PANEL_FIELDS } from "./outreach-screens";
import { signUp } from "./visitors";
import { createSession, readText, type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const HOSTILE = "Zed</script><script>alert(1)</script>";

const server = useServer();
const superadmin = useSuperadmin(server);
const page = superadmin.read;
let admin: Session;
beforeAll(async () => {
  admin = await becomeAdmin(server, superadmin.cookie, "grace@example.com");
  await signUp(server, { name: HOSTILE, email: "zed@example.com" });
  for (let count = 1; count <= 7; count += 1) {
    await signUp(server, { name: "Zoë Many", email: `zoe${count}@example.com` });
  }
  const test = { intent: "test", title: "Zebra", testAddress: "zebra@example.com" };
  await superadmin.post("/admin/dashboard", { ...PANEL_FIELDS, ...test });
});

const shown = (html: string) => html.slice(html.indexOf("<main"), html.indexOf("</main>"));

describe("the search page", () => {
  it("finds people, emails and screens in groups, with a link to all of a long group", async () => {
    const html = shown(await page("/admin/search?q=z"));
    const groups = [...html.matchAll(/<h2[^>]*>([^<]+)/g)].map((match) => match[1]);
    // A line of the log has a Z in its time, once it is stored.
    expect(groups.filter((group) => group !== "Log lines")).toEqual([
      "Screens and actions",
      "People",
      "Emails in the outbox",
    ]);
    expect(html).toContain("<bdi>zoe7@example.com · Early access</bdi>");
    expect(html).toContain('href="/admin/people?q=z"');
    expect(shown(await page("/admin/search?q=export"))).toContain("Download the activity");
  });

  it("suggests the first six screens, without their actions, before anything is typed", async () => {
    const html = shown(await page("/admin/search"));
    const found = html.slice(html.indexOf("<ul"));
    const names = [...found.matchAll(/<bdi>([^<]+)<\/bdi>/g)].map(([, name]) => name);
    expect(names).toHaveLength(6);
    expect(names).toEqual(expect.arrayContaining(["Dashboard", "User Management"]));
    expect(names).not.toContain("Add a user");
  });

  // R17
  it("accepts no longer text than fits into its address", async () => {
    const [, longest] =
      /type="search"[^>]* name="q"[^>]* maxLength="(\d+)"/.exec(await page("/admin/search")) ?? [];
    const q = encodeURIComponent("\u6f22".repeat(Number(longest)));
    for (const path of [`/admin/search?q=${q}`, `/admin/search.data?q=${q}&_routes=routes%2Fadmin.search`])
      expect(await page(path)).toContain("\u6f22");
  });

  it("lists all people found", async () => {
    const all = shown(await page("/admin/people?q=zo+many"));
    expect([...new Set([...all.matchAll(/zoe\d@example\.com/g)].map(([address]) => address))]).toEqual(
      [7, 6, 5, 4, 3, 2, 1].map((number) => `zoe${number}@example.com`),
    );
    expect(shown(await page("/admin/people?q=nobody"))).toContain("Nobody matches");
  });

  // C14
  it("escapes hostile text in the query and the results", async () => {
    const html = await page(`/admin/search?q=${encodeURIComponent("zed")}`);
    expect(html).toContain("<bdi>Zed&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>");
    const typed = await page(`/admin/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(html + typed).not.toContain("<script>alert(1)");
    expect(typed).toContain('value="&quot;&gt;&lt;script&gt;alert(1)');
  });

  // C9
  it("shows accounts and their actions to superadmins only, as a page and as data", async () => {
    for (const path of ["/admin/search?q=grace", "/admin/search.data?q=grace", "/admin/search.data?q=add"]) {
      expect(await page(path)).toMatch(/"?Accounts"?|Add a user/);
      // As a link; who may read the log may read in it that somebody was there.
      expect(await admin.read(path)).not.toMatch(/Accounts|Add a user|"\/admin\/users"/);
    }
    expect(await admin.read("/admin/search")).not.toContain("/admin/users");
  });
});

it("the keyboard shortcuts are a page", async () => {
  expect(shown(await page("/admin/shortcuts"))).toContain("User Management");
  const html = shown(await admin.read("/admin/shortcuts"));
  expect(html).toContain("Dashboard");
  expect(html).not.toContain("User Management");
});

it("the status bar shows running work and mirrors", async () => {
  const html = await page("/admin/sessions");
  const foot = html.slice(html.indexOf("<footer"), html.indexOf("</footer>"));
  expect(foot.replaceAll(/<[^>]*>/g, " ")).toMatch(
    /Push: Web Push\s+Mirrors: none\s+Sending: nothing\s+Times in\s+UTC\s+Keyboard shortcuts/,
  );
});

it("a person who must choose a password first gets neither search nor shortcuts", async () => {
  const password = await addUser(server, superadmin.cookie, "new@example.com");
  const cookie = await logInAs(server, "new@example.com", password);
  const html = await createSession(server, () => cookie).read("/admin/password-reset");
  expect(html).not.toMatch(/href="\/admin\/(search|shortcuts)"/);
});

describe("the back office as an application of its own", () => {
  it("has a public manifest, linked from its pages only", async () => {
    const answer = await server.fetch("/back-office.webmanifest");
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/manifest+json"]);
    const manifest = (await answer.json()) as { icons: { src: string }[] };
    expect(manifest).toMatchObject({
      name: "Confer back office",
      id: "/admin",
      start_url: "/admin",
      scope: "/admin",
      display: "standalone",
    });
    expect(manifest.icons).toHaveLength(4);
    for (const { src } of manifest.icons) expect((await server.fetch(src)).status).toBe(200);
    const getManifest = (html: string) => /<link rel="manifest" href="([^"]*)"/g.exec(html)?.[1];
    expect(getManifest(await page("/admin/sessions"))).toBe("/back-office.webmanifest");
    for (const path of ["/", "/login"]) {
      expect(getManifest(await readText(server.fetch(path)))).toBe("/site.webmanifest");
    }
  });

  it.each([
    ["light", ['content="#fbfaf7"']],
    ["dark", ['content="#121317"']],
    [
      "system",
      [
        'media="(prefers-color-scheme: light)" content="#fbfaf7"',
        'media="(prefers-color-scheme: dark)" content="#121317"',
      ],
    ],
  ])("has the theme-color of the chosen theme: %s", async (theme, expected) => {
    const answer = await superadmin.post("/admin/appearance", { theme });
    const cookie = `${superadmin.cookie}; ${getCookie(answer)}`;
    const html = await createSession(server, () => cookie).read("/admin/sessions");
    expect([...html.matchAll(/<meta name="theme-color" ([^>]*?)\/>/g)].map((match) => match[1])).toEqual(
      expected,
    );
  });
});
