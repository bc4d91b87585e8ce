import { describe, expect, it } from "vitest";
import { getRegion } from "./form-html";
import { becomeAdmin, getRedirect } from "./operators";
import { getLocation, getSearch, useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { readRows } from "./visitors";

const screens = useOutreachScreens();
const { server, read, post, press } = screens;
const PAGE = "/admin/templates";

const TEMPLATE = { intent: "create", title: "Hello", message: "Dear {{name}}.", format: "markdown" };

let number = 0;
/** Creates a template with a name of its own. @returns its id. */
async function create(fields: Record<string, string> = {}): Promise<string> {
  number += 1;
  const answer = await post(`${PAGE}/new`, { ...TEMPLATE, name: `Template ${number}`, ...fields });
  expect(answer.status).toBe(303);
  return getLocation(answer).replace(/^.*\/|\?.*$/g, "");
}

const getRow = (id: string) => readRows(server, "select * from campaign_templates where id = ?", id)[0];
const getBase = (html: string) => /name="base" value="([^"]*)"/.exec(html)?.[1] ?? "";

describe("a template's page", () => {
  it("creates it, shows the email, and saves a change", async () => {
    const id = await create({ name: "Welcome <b>", group: "contact-form" });
    const html = await read(`${PAGE}/${id}`);
    expect(html).toContain("Welcome &lt;b&gt;");
    expect(html).toContain(`src="${PAGE}/${id}/mail?for=first`);
    const email = await screens.get(`${PAGE}/${id}/mail`);
    expect(email.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(await email.text()).toContain("Dear there.");
    const fields = {
      ...TEMPLATE,
      intent: "save",
      name: "Renamed",
      base: getBase(html),
      shown: "contact-form",
    };
    const saved = await post(`${PAGE}/${id}`, { ...fields, group: "updates-signup" });
    expect(getRedirect(saved)).toEqual([303, `${PAGE}/${id}?notice=template-saved`]);
    expect(getRow(id)).toMatchObject({ name: "Renamed" });
    const groups = "select audience from campaign_template_defaults where template_id = ?";
    expect(readRows(server, groups, id)).toEqual([{ audience: "updates-signup" }]);
  });

  it("keeps what was typed when it is refused", async () => {
    await create({ name: "Taken" });
    for (const [fields, status, sentence] of [
      [{ name: " " }, 422, "Please enter the name."],
      [{ name: "n".repeat(101) }, 422, "Please shorten the name to 100 characters."],
      [{ name: "A", message: "" }, 422, "Please enter the message."],
      [{ name: "A", title: "two\nlines" }, 422, "Please keep the title on one line."],
      [{ name: "A", format: "html" }, 422, ""],
      [{ name: "tAKEN" }, 409, "Another template has this name."],
    ] as const) {
      const typed = { ...TEMPLATE, title: '"><i>typed', group: "early-access", ...fields };
      const html = await readText(post(`${PAGE}/new`, typed), status);
      expect(html).toContain(sentence);
      if (!("title" in fields)) expect(html).toContain('value="&quot;&gt;&lt;i&gt;typed"');
      expect(html).toMatch(
        /name="group"[^>]*checked=""[^>]*value="early-access"|value="early-access"[^>]*checked=""/,
      );
    }
  });

  it("of a deleted one keeps the text of a form that was open", async () => {
    const id = await create();
    const base = getBase(await read(`${PAGE}/${id}`));
    const deleted = await post(PAGE, { intent: "delete", template: id });
    expect(getRedirect(deleted)).toEqual([303, `${PAGE}?deleted=${id}&notice=template-deleted`]);
    expect(await readText(screens.get(`${PAGE}/${id}`), 404)).toContain("This template no longer exists");
    const typed = { ...TEMPLATE, intent: "save", name: "Kept", message: "Not lost.", base };
    const html = await readText(post(`${PAGE}/${id}`, typed), 409);
    expect(html).toContain("This template was deleted in the meantime.");
    expect(html).toContain("Not lost.");
    expect(html).toContain("Save as a new template");
    expect((await post(`${PAGE}/${id}`, { ...typed, intent: "create" })).status).toBe(303);
  });

  it("shows both versions when a colleague changed it, and overwrites the one that was read", async () => {
    const id = await create({ name: "Both" });
    const base = getBase(await read(`${PAGE}/${id}`));
    const colleague = await becomeAdmin(server, screens.superadmin.cookie, "bo@example.com");
    const fields = { ...TEMPLATE, intent: "save", name: "Both", base };
    await colleague.post(`${PAGE}/${id}`, { ...fields, message: "Theirs.", format: "text" });
    const html = await readText(post(`${PAGE}/${id}`, { ...fields, message: "Mine." }), 409);
    expect(html).toContain("A colleague changed this template.");
    expect(html).toContain("Theirs.");
    expect(getRegion(html, "The saved template")).toContain("Plain text");
    expect(html).toContain("Mine.");
    const theirs = /name="theirs" value="([^"]*)"/.exec(html)?.[1] ?? "";
    const mine = { ...fields, intent: "save-mine", message: "Mine.", theirs };
    expect((await post(`${PAGE}/${id}`, mine)).status).toBe(303);
    expect(getRow(id)).toMatchObject({ message: "Mine.", changed_by: "superadmin@example.com" });
  });
});

describe("the list of templates", () => {
  it("undoes a deletion once", async () => {
    const id = await create({ name: "Undone" });
    expect(await read(`${PAGE}?delete=${id}`)).toContain("Delete this template?");
    await post(PAGE, { intent: "delete", template: id });
    expect(await read(PAGE)).toContain("Undone, deleted by superadmin@example.com");
    const undo = () => post(PAGE, { intent: "undo", template: id });
    expect(getRedirect(await undo())).toEqual([303, `${PAGE}?notice=template-restored`]);
    expect(getRedirect(await undo())).toEqual([303, `${PAGE}?notice=template-deletion-over`]);
    const gone = await post(PAGE, { intent: "delete", template: "x" });
    expect(getRedirect(gone)).toEqual([303, `${PAGE}?notice=template-gone`]);
  });
});

describe("a campaign", () => {
  it("names the template its text came from, also when that was deleted", async () => {
    const template = await create({ name: "Spring <b>" });
    const draft = getSearch(await press("start", { title: "", message: "", template })).get("draft") ?? "";
    await screens.signUp("campaign@example.com");
    await screens.confirm(draft);
    const campaign = `/admin/outreach/${draft}`;
    expect(await read(campaign)).toMatch(
      new RegExp(`Its text came from the template <a[^>]*href="${PAGE}/${template}"><bdi>Spring &lt;b&gt;`),
    );
    await post(PAGE, { intent: "delete", template });
    expect(await read(campaign)).toContain("Its text came from a deleted template.");
    const other = await screens.createDraft();
    await screens.confirm(other);
    expect(await read(`/admin/outreach/${other}`)).not.toContain("Its text came from");
  });
});

describe("the panel", () => {
  it("saves a draft as a template under the name it asks for", async () => {
    const asked = await press("name-template", { title: "From the panel", format: "text" });
    const draft = getSearch(asked).get("draft") ?? "";
    const page = `/admin/dashboard?draft=${draft}&step=template`;
    expect(getLocation(asked)).toBe(`${page}#outreach`);
    expect(await read(page)).toContain("Save as a template");
    const wrong = await readText(post(page, { intent: "save-template", draft, name: "" }), 422);
    expect(wrong).toContain("Please enter the name.");
    const saved = await post(page, { intent: "save-template", draft, name: "Panel" });
    expect(getSearch(saved).get("notice")).toBe("template-saved");
    const [row] = readRows(server, "select * from campaign_templates where name = 'Panel'");
    expect(row).toMatchObject({ title: "From the panel", format: "text" });
    const taken = await readText(post(page, { intent: "save-template", draft, name: "PANEL" }), 409);
    expect(taken).toContain("Another template has this name.");
    const empty = await readText(press("name-template", { message: " ", title: "Kept" }), 422);
    expect(empty).toContain("Please enter the message.");
    expect(empty).toContain('value="Kept"');
  });

  it("starts a draft from a template, and asks before another text gives way", async () => {
    const template = await create({ title: "A start" });
    const empty = { title: "", message: "", format: "text" };
    const started = await press("start", { ...empty, template });
    const draft = getSearch(started).get("draft") ?? "";
    expect(getSearch(started).get("notice")).toBe("draft-started");
    expect(screens.getCampaign(draft)).toMatchObject({ title: "A start", template_id: template });

    const asked = await press("start", { draft: "", title: "Mine", template });
    const written = getSearch(asked).get("draft") ?? "";
    const question = await read(getLocation(asked).split("#")[0] ?? "");
    expect(question).toContain("Start from the template?");
    const newDraft =
      /name="newDraft" value="([^"]*)"\/>\s*<input type="hidden" name="template"/.exec(question)?.[1] ?? "";
    const replaced = await post("/admin/dashboard", {
      intent: "replace",
      draft: written,
      newDraft,
      template,
    });
    expect(getLocation(replaced)).toBe(
      `/admin/dashboard?draft=${newDraft}&former=${written}&notice=draft-replaced#outreach`,
    );
    expect(screens.getCampaign(newDraft)).toMatchObject({ title: "A start", template_id: template });
    expect(screens.getCampaign(written)).toMatchObject({ title: "Mine", state: "draft" });
    const gone = await press("start", { title: "Kept", template: "x" });
    expect(getSearch(gone).get("notice")).toBe("template-gone");
    expect(screens.getCampaign(getSearch(gone).get("draft") ?? "")).toMatchObject({ title: "Kept" });
  });

  it("starts from the default of the group", async () => {
    const template = await create({ title: "For all inquiries", group: "contact-form" });
    const empty = { title: "", message: "", audience: "contact-form" };
    const started = await press("start-default", empty);
    expect(screens.getCampaign(getSearch(started).get("draft") ?? "")).toMatchObject({
      audience: "contact-form",
      title: "For all inquiries",
      template_id: template,
    });
    await post(PAGE, { intent: "delete", template });
    const none = await press("start-default", empty);
    expect(getSearch(none).get("notice")).toBe("no-default-template");
  });

  it("saves a refused form without JavaScript over no colleague's version, and over its own", async () => {
    const draft = await screens.createDraft({ title: "First" });
    const opened = await read(`/admin/dashboard?draft=${draft}`);
    const getOpened = (html: string) => ({
      base: getBase(html),
      newDraft: /name="newDraft" value="([^"]*)"/.exec(html)?.[1] ?? "",
    });
    const refused = await readText(press("send", { draft, title: "", ...getOpened(opened) }), 422);
    const saved = await press("save", { draft, title: "Second", ...getOpened(refused) });
    expect(getSearch(saved).get("notice")).toBe("draft-saved");
    expect(screens.getCampaign(draft)).toMatchObject({ title: "Second" });
  });
});
