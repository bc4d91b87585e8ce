import { beforeAll, describe, expect, it } from "vitest";
import { appendLines, withLogStore } from "../factories/logs";
import { unescapeHtml } from "./form-html";
import { getLocation, useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { readRows } from "./visitors";

/* The document alone, as it is without JavaScript. */

const screens = useOutreachScreens();
let campaign: string;
let ada: string;

beforeAll(async () => {
  for (let person = 1; person <= 30; person += 1) {
    await screens.signUp(`person-${person}@example.com`, `Person ${String.fromCharCode(96 + (person % 26))}`);
  }
  await screens.signUp("ada@example.com", "Ada Byron");
  ada = String(readRows(screens.server, "select id from submissions where email = 'ada@example.com'")[0]?.id);
  campaign = await screens.createDraft();
  await screens.confirm(campaign);
  await screens.waitForState(campaign, "finished");
  const lines = Array.from({ length: 130 }, (_, n) => `2026-11-21T12:00:00Z [NOTICE] step ${n}`);
  await withLogStore(screens.server.dataDir, (store) => appendLines(store, lines));
});

const read = async (path: string) => unescapeHtml(await screens.read(path));
const listLinks = (html: string, name: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
    .filter(([, , text]) => text?.replace(/<[^>]+>/g, "").trim() === name)
    .map(([, href]) => href);
const findHeader = (html: string, name: string) =>
  /<th [^>]*>/.exec(html.slice(html.lastIndexOf("<th ", html.indexOf(`>${name}</span>`))))?.[0];

describe("a list", () => {
  const TABLE = "/admin/submissions/early-access";

  it("is sorted by its headers, which keep the filter and say the order", async () => {
    const newest = await read(`${TABLE}?q=person`);
    expect(findHeader(newest, "Received")).toContain('aria-sort="descending"');
    expect(findHeader(newest, "Company")).not.toContain("aria-sort");
    expect(listLinks(newest, "Received")).toEqual([`${TABLE}?q=person&order=asc`]);
    expect(listLinks(newest, "Name")).toEqual([`${TABLE}?q=person&sort=name`]);
    const byName = await read(`${TABLE}?q=person&sort=name`);
    expect(findHeader(byName, "Name")).toContain('aria-sort="ascending"');
    expect(findHeader(byName, "Received")).not.toContain("aria-sort");
    expect(listLinks(byName, "Name")).toEqual([`${TABLE}?q=person&sort=name&order=desc`]);
    expect(listLinks(byName, "Received")).toEqual([`${TABLE}?q=person`]);
    expect(byName).toContain('<input type="hidden" name="sort" value="name"/>');
    expect(byName.indexOf(">Person a<")).toBeLessThan(byName.indexOf(">Person b<"));
  });

  it("leads to the page before and after, in its order", async () => {
    const second = await read(listLinks(await read(`${TABLE}?sort=name`), "Next page")[0]!);
    expect(second).toContain(">Person y<");
    expect(listLinks(second, "Next page")).toEqual([]);
    expect(listLinks(second, "First page")).toEqual([`${TABLE}?sort=name`]);
    const [previous = ""] = listLinks(second, "Previous page");
    expect(previous).toMatch(/^\/admin\/submissions\/early-access\?sort=name&before=[\w-]+$/);
    const first = await read(previous);
    expect(first).toContain(">Ada Byron<");
    expect(listLinks(first, "Previous page")).toEqual([]);
  });

  it("of log lines leads to newer ones, too", async () => {
    const newest = await read("/admin/logs?view=time&level=NOTICE");
    const older = await read(listLinks(newest, "Older lines")[0]!);
    expect(older).toContain("step 29<");
    expect(older).not.toContain("step 30<");
    const back = await read(listLinks(older, "Newer lines")[0]!);
    expect(back).toContain("step 129<");
    expect(back).toContain("step 30<");
  });
});

describe("an open row", () => {
  it("of the log stands beside its lines, under their filter, and is marked", async () => {
    const list = await read("/admin/logs?level=NOTICE");
    const [, path, id] = /href="(\/admin\/logs\/(\d+)\?from=level%3DNOTICE)"/.exec(list) ?? [];
    const html = await read(path!);
    expect(html).toContain(`Line ${id}`);
    expect(html).toMatch(new RegExp(`<a [^>]*aria-current="true"[^>]*href="/admin/logs/${id}\\?from=`));
    expect(html).toContain('<option value="NOTICE" selected="">');
    expect(listLinks(html, "Logs")).toContain("/admin/logs?level=NOTICE");
    expect((await screens.get("/admin/logs/999999999")).status).toBe(404);
  });

  it("of the campaigns keeps their order, and its forms lead back to it", async () => {
    const page = `/admin/outreach/${campaign}`;
    expect(await read("/admin/outreach?sort=title")).toContain(`href="${page}?from=sort%3Dtitle"`);
    const html = await read(`${page}?from=sort%3Dtitle`);
    expect(findHeader(html, "Title")).toContain('aria-sort="ascending"');
    expect(listLinks(html, "Campaigns")).toContain("/admin/outreach?sort=title");
    expect(html).toContain(`href="${page}?from=sort%3Dtitle&state=sent"`);
    const answer = await screens.post(`${page}?from=sort%3Dtitle`, { intent: "pause" });
    expect(getLocation(answer)).toBe(`${page}?from=sort%3Dtitle&notice=campaign-unchanged`);
    const told = await read(getLocation(answer));
    expect(told.split("This is no longer possible").length - 1).toBeLessThan(3);
  });

  it("of the submissions is the person, who stands beside the people, too", async () => {
    const table = await read("/admin/submissions/early-access?q=ada");
    const path = `/admin/submissions/early-access/${ada}?from=q%3Dada`;
    expect(table).toContain(`href="${path}"`);
    const html = await read(path);
    expect(html).toContain('data-slot="list" data-beside="true"');
    expect(html).toContain('value="ada"');
    expect(html).toContain("Erase this person");
    expect(listLinks(html, "Submissions")).toContain("/admin/submissions/early-access?q=ada");
    expect(html).toContain(`href="${path}&step=erase"`);
    const daily = await read(`/admin/submissions/early-access/${ada}?from=q%3Dada%26from%3D2026-01-01`);
    expect(daily).toContain('href="/admin/submissions/contact-form?from=2026-01-01"');
    const among = await read(`/admin/people/${ada}?from=q%3Dada`);
    expect(among).toContain("Erase this person");
    expect(among).toContain('data-slot="list" data-beside="true"');
    expect(listLinks(among, "People")).toContain("/admin/people?q=ada");
    const gone = await screens.get("/admin/submissions/early-access/x");
    expect([gone.status, getLocation(gone)]).toEqual([
      303,
      "/admin/submissions/early-access?notice=person-gone",
    ]);
  });
});

it("a list whose state is malformed is shown without it", async () => {
  for (const search of ["?sort=constructor&order=x", "?before=%00&after=x", "?sort=name&before=x"]) {
    expect(await readText(screens.get(`/admin/submissions/early-access${search}`))).toContain("Ada Byron");
  }
});
