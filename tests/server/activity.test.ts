import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { formPost, SUPERADMIN } from "../server-process";
import { getRedirect } from "./operators";
import { readRows, someone } from "./visitors";
import { useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";

const HOSTILE = '=HYPERLINK("//e.example")</script><script>alert(1)</script>';
const FORMULA = "=cmd@example.com";

const screens = useOutreachScreens();
const { server, get, read, post } = screens;
beforeAll(async () => {
  await screens.signUp("ada@example.com");
  await server.fetch("/login", formPost({ email: FORMULA, password: "x" }, someone()));
  await screens.confirm(await screens.createDraft({ title: HOSTILE }));
});

const download = (query = "") => post(`/admin/activity/export${query}`);

describe("the activity", () => {
  // C14
  it("shows actions as sentences, with hostile text escaped and isolated", async () => {
    const html = await read("/admin/activity");
    expect(html).toContain("<bdi>=HYPERLINK(&quot;//e.example&quot;)&lt;/script&gt;&lt;script&gt;alert(1)");
    expect(html).not.toContain("<script>alert(1)");
    expect(html).toContain(`<bdi>${FORMULA}</bdi>`);
    expect(html).toContain("logged in");
  });

  it("is filtered by its URL", async () => {
    const refused = await read("/admin/activity?outcome=refused&who=visitor");
    expect(refused).toContain(`<bdi>${FORMULA}</bdi>`);
    expect(refused).not.toContain("confirmed the campaign");
    expect(await read("/admin/activity?who=x%00y&action=frobnicate")).toContain("Nothing matches");
  });

  it("marks an invalid day and keeps it", async () => {
    const html = await readText(get("/admin/activity?from=2026-02-31&outcome=refused"), 422);
    expect(html).toContain('value="2026-02-31"');
    expect(html).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="from"/);
    expect(html).toContain("Please enter a day like 2026-11-21.");
  });

  it("takes no POST", async () => {
    for (const intent of ["delete", "clear", ""]) {
      expect((await post("/admin/activity", { intent })).status).toBe(405);
    }
  });
});

describe("an export of the activity", () => {
  // C21, C36
  it("is a file without formulas that begins with its own entry", async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": expect.stringMatching(/^attachment; filename="activity-[\d-]{10}\.csv"$/),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    const [header, first, ...lines] = parse(await answer.text());
    expect(header).toEqual([
      "Time (UTC)",
      "Who",
      "What happened",
      "Action",
      "Subject",
      "Outcome",
      "Network",
      "Request",
      "Content (SHA-256)",
    ]);
    expect(first?.slice(1, 6)).toEqual([
      SUPERADMIN.email,
      `${SUPERADMIN.email} exported the activity: everything`,
      "Activity exported",
      "everything",
      "Done",
    ]);
    expect(lines.find((line) => line[3] === "Campaign confirmed")?.[4]).toBe(`'${HOSTILE}`);
    expect(lines.find((line) => line[5] === "Refused")?.[4]).toBe(`'${FORMULA}`);
    expect(lines.flat().filter((cell) => /^[=+\-@\t\r\n\0]/.test(cell))).toEqual([]);
    expect(lines).toHaveLength(readRows(server, "select id from audit").length - 1);
  });

  it("contains exactly the entries that match the filter", async () => {
    const [, ...lines] = parse(await (await download("?outcome=refused&who=visitor")).text());
    expect(lines.map((line) => [line[1], line[3], line[5]])).toEqual([["visitor", "Login", "Refused"]]);
    const [noted] = readRows(server, "select subject from audit order by id desc limit 1");
    expect(noted).toEqual({ subject: 'who "visitor", outcome refused' });
  });

  // C8
  it("redirects a GET and an invalid filter to the page", async () => {
    const before = readRows(server, "select id from audit").length;
    const page = await get("/admin/activity/export?who=visitor");
    expect(getRedirect(page)).toEqual([303, "/admin/activity?who=visitor"]);
    expect(getRedirect(await download("?from=%5Cx"))).toEqual([303, "/admin/activity?from=%5Cx"]);
    expect(readRows(server, "select id from audit")).toHaveLength(before);
  });
});
