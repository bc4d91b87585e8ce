import { beforeAll, describe, expect, it } from "vitest";
import { becomeAdmin, getRedirect } from "./operators";
import { readText, type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { execute, readRows, signUp } from "./visitors";

const server = useServer();
const superadmin = useSuperadmin(server);
let ada: Session;

beforeAll(async () => {
  ada = await becomeAdmin(server, superadmin.cookie, "ada@example.com");
  // An empty list has no filter.
  await signUp(server, { stamp: "", website: "https://spam.example", email: "bot@example.com" });
  execute(
    server,
    `insert into suppressions (id, address, email_key, reason, detail, opted_out, created_at)
      values ('019aa000-0000-7000-8000-000000000000', ?, ?, 'added', '', 0, 1)`,
    "grace@example.com",
    "grace@example.com",
  );
});

/** Returns the screen's URL for what a list shows. */
const toScreen = (list: string, query = "") =>
  `/admin/views?${new URLSearchParams({ list })}${query && `&${query}`}`;
const save = (person: Session, list: string, query: string, fields: Record<string, string>) =>
  person.post(toScreen(list, query), { intent: "save", ...fields });
const getId = (name: string) =>
  String(readRows(server, "select id from saved_views where name = ?", name)[0]?.id);
/** Returns the links to a list's views, a current one with a star. */
const readViews = async (person: Session, url: string) => {
  const [, nav = ""] = /<nav aria-label="Saved views"[^>]*>(.*?)<\/nav>/.exec(await person.read(url)) ?? [];
  return [...nav.matchAll(/<a[^>]*>/g)].map(
    ([link]) =>
      `${/href="([^"]*)"/.exec(link)?.[1]?.replaceAll("&amp;", "&")}${link.includes("aria-current") ? " *" : ""}`,
  );
};

/** The lists, a filter or an order of each as its own parser writes it, and the same with what it leaves out. */
const LISTS = [
  ["/admin/people", "form=early-access&sort=name", "sort=name&form=early-access&after=x&role=<b>&page=2"],
  ["/admin/submissions/early-access", "choice=developer", "choice=developer&status=open"],
  ["/admin/submissions/contact-form", "status=open&order=asc", "order=asc&status=open&sort=constructor"],
  ["/admin/submissions/updates-signup", "mail=open", "mail=open&id=1"],
  ["/admin/submissions/unconfirmed", "sort=name", "sort=name&before=x"],
  ["/admin/quarantine", "form=contact-form", "form=contact-form&step=purge"],
  ["/admin/suppressions", "prefix=ada", "prefix=ADA"],
  ["/admin/outreach", "sort=title", "sort=title&notice=draft-saved"],
  ["/admin/logs", "view=time&level=ERROR", "level=error&view=time&live=on"],
  ["/admin/activity", "action=login", "action=login&outcome=none"],
] as const;

describe("saved views", () => {
  it.each(LISTS)("of %s are offered, saved and marked", async (list, query, typed) => {
    const html = await superadmin.read(`${list}?${query}`);
    expect(html).not.toContain('aria-label="Saved views"');
    const screen = toScreen(list, query);
    expect(html.replaceAll("&amp;", "&")).toContain(`href="${screen}"`);
    expect(await superadmin.read(list)).not.toContain("Save this view");
    expect(await superadmin.read(screen)).toContain("Save this view");
    const name = `Mine of ${list}`;
    expect(getRedirect(await save(superadmin, list, typed, { name }))).toEqual([
      303,
      `${list}?${query}&notice=view-saved`,
    ]);
    expect(readRows(server, "select list, query, is_shared from saved_views where name = ?", name)).toEqual([
      { list, query, is_shared: 0 },
    ]);
    expect(await readViews(superadmin, `${list}?${query}`)).toEqual([`${list}?${query} *`]);
    expect(await readViews(superadmin, list)).toEqual([`${list}?${query}`]);
    expect(await superadmin.read(`${list}?${query}`)).not.toContain("Save this view");
    expect(await readViews(ada, list)).toEqual([]);
  });

  it("of the log by time are offered once it is filtered", async () => {
    expect(await superadmin.read("/admin/logs?view=time")).not.toContain("Save this view");
    expect(await superadmin.read("/admin/logs?view=time&q=x")).toContain("Save this view");
  });

  it("without a name, or with one that is taken, keep what was typed", async () => {
    const people = "/admin/people";
    const empty = await readText(save(ada, people, "q=acme", { name: " ", share: "on" }), 422);
    expect(empty).toContain("Please enter the name.");
    expect(empty).toMatch(/<input[^>]*name="share"[^>]*checked=""/);
    const long = await readText(save(ada, people, "q=acme", { name: "x".repeat(61) }), 422);
    expect(long).toContain("Please shorten the name to 60 characters.");
    expect(long).toContain(`value="${"x".repeat(61)}"`);
    await save(ada, people, "q=acme", { name: "Acme" });
    const taken = await readText(save(ada, people, "q=other", { name: "ACME" }), 409);
    expect(taken).toContain("Another view of this list has this name.");
    expect(taken).toContain('value="ACME"');
  });

  it("are shared, changed, updated and deleted by their maker and superadmins", async () => {
    const list = "/admin/submissions/contact-form";
    await save(ada, list, "status=open", { name: "Open <b>", share: "on" });
    const view = getId("Open <b>");
    expect(await readViews(superadmin, `${list}?status=open`)).toContain(`${list}?status=open *`);
    const bo = await becomeAdmin(server, superadmin.cookie, "bo@example.com");
    const theirs = await bo.read(toScreen(list, "status=answered"));
    expect(theirs).toContain("Open &lt;b&gt;");
    expect(theirs).toContain("Everyone, saved by ada@example.com");
    expect(theirs).not.toMatch(/change=|delete=|Update to what is shown/);
    const gone = [303, `${toScreen(list)}&notice=view-gone`];
    for (const intent of ["change", "delete"]) {
      expect(getRedirect(await bo.post(toScreen(list), { intent, view, name: "Bo's" }))).toEqual(gone);
    }
    expect(await bo.read(`${toScreen(list)}&delete=${view}`)).not.toContain("Delete this view?");

    const screen = toScreen(list, "status=answered");
    expect(await superadmin.read(screen)).toContain("Update to what is shown");
    expect(getRedirect(await superadmin.post(screen, { intent: "update", view }))).toEqual([
      303,
      `${list}?status=answered&notice=view-updated`,
    ]);
    // Not by what another list shows.
    await superadmin.post(toScreen("/admin/people", "q=x"), { intent: "update", view });
    const changed = await ada.post(`${screen}&change=${view}`, { intent: "change", view, name: "Answered" });
    expect(getRedirect(changed)).toEqual([303, `${screen}&notice=view-changed`]);
    expect(readRows(server, "select name, query, is_shared from saved_views where id = ?", view)).toEqual([
      { name: "Answered", query: "status=answered", is_shared: 0 },
    ]);
    expect(await superadmin.read("/admin/activity")).toMatch(/stopped sharing the view.*Answered/);

    expect(await ada.read(`${screen}&delete=${view}`)).toContain("Delete this view?");
    expect(getRedirect(await ada.post(screen, { intent: "delete", view }))).toEqual([
      303,
      `${screen}&notice=view-deleted`,
    ]);
    expect(readRows(server, "select id from saved_views where id = ?", view)).toEqual([]);
  });

  it("belong to a list that is known, and filter or order it", async () => {
    for (const list of ["//evil.example", "/admin/users", "/admin/people?x=y", ""]) {
      await save(ada, list, "q=x", { name: "Elsewhere" });
      expect(await ada.read(toScreen(list, "q=x"))).not.toContain("Save this view");
    }
    await save(ada, "/admin/people", "role=<b>", { name: "Elsewhere" });
    expect(readRows(server, "select id from saved_views where name = 'Elsewhere'")).toEqual([]);
  });

  it("and templates are found by name, and nobody else's own views are", async () => {
    const name = "Zebra crossing";
    await save(ada, "/admin/people", "company=Zebra", { name });
    const found = await ada.read("/admin/search?q=zebra");
    expect(found).toContain('href="/admin/people?company=Zebra"');
    expect(await superadmin.read("/admin/search?q=zebra")).not.toContain(name);
    await superadmin.post("/admin/templates/new", {
      intent: "create",
      name,
      title: "Hello",
      message: "Hello",
      format: "text",
    });
    expect(await superadmin.read("/admin/search?q=zebra")).toMatch(
      /href="\/admin\/templates\/[\w-]+"[^>]*><bdi>Zebra crossing/,
    );
  });
});
