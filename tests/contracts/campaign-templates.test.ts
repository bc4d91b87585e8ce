import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { minutes } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import {
  createTemplates,
  getTemplateHash,
  MAX_TEMPLATES,
  type TemplateContent,
} from "~/services/outreach/templates.server";
import { createTestOutreach, operator, people, signUp } from "../factories/outreach";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const bo = { ...operator, by: "bo@example.com" };
const UNCHANGED = { set: [], clear: [] };
const UNKNOWN = "019aa000-0000-7000-8000-000000000000";

const welcome: TemplateContent = {
  name: "Welcome",
  title: "You are on the list, {{name}}",
  message: "Hello **{{name}}**.",
  format: "markdown",
};

function createTestTemplates(database: Database, clock = createTestClock()) {
  const templates = createTemplates({ database, clock, newId });
  const create = async (
    differing: Partial<TemplateContent> = {},
    groups: Parameters<typeof templates.create>[2] = [],
  ) => {
    const created = await templates.create({ ...welcome, ...differing }, operator, groups);
    if (!created.ok) throw new Error(`The template was not created: ${created.error}`);
    return created.id;
  };
  const listActions = async () => {
    const entries = database.read.selectFrom("audit").select(["actor", "action", "subject"]).orderBy("id");
    return (await entries.execute()).map(({ actor, action, subject }) => `${actor} ${action} ${subject}`);
  };
  return { clock, templates, create, listActions };
}

describeOnDatabases("a template on %s", ({ database }) => {
  it("is saved, changed, deleted and restored, each recorded once", async () => {
    const { clock, templates, create, listActions } = createTestTemplates(database);
    const id = await create();
    expect(await templates.find(id)).toMatchObject({ ...welcome, created_by: operator.by });
    clock.forward(minutes(5));
    const changed = { ...welcome, name: "Hello", format: "text" } as const;
    const base = getTemplateHash(welcome);
    expect(await templates.change(id, changed, { base, defaults: UNCHANGED }, bo)).toEqual({ ok: true });
    // The same again changes nothing.
    expect(await templates.change(id, changed, { base, defaults: UNCHANGED }, operator)).toEqual({
      ok: true,
    });
    expect(await templates.list()).toEqual([
      {
        id,
        name: "Hello",
        format: "text",
        changed_by: bo.by,
        changed_at: clock(),
        used: 0,
        defaultOf: [],
      },
    ]);

    expect(await templates.remove(id, bo)).toBe(true);
    expect(await templates.remove(id, bo)).toBe(false);
    expect(await templates.find(id)).toBeUndefined();
    expect(await templates.list()).toEqual([]);
    expect(await templates.listDeleted()).toMatchObject([{ id, name: "Hello", deleted_by: bo.by }]);
    expect(await templates.restore(id, operator)).toEqual({ ok: true });
    expect(await templates.restore(id, operator)).toEqual({ ok: false, error: "over" });
    expect(await templates.find(id)).toMatchObject({ name: "Hello", deleted_at: null });
    expect(await listActions()).toEqual([
      `${operator.by} save-template Welcome`,
      `${bo.by} change-template Hello`,
      `${bo.by} delete-template Hello`,
      `${operator.by} restore-template Hello`,
    ]);
  });

  it("has a name of its own, in whatever case", async () => {
    const { templates, create } = createTestTemplates(database);
    const id = await create();
    const other = await create({ name: "Übersicht" });
    const taken = { ok: false, error: "name-taken" };
    expect(await templates.create({ ...welcome, name: "WELCOME" }, bo)).toEqual(taken);
    expect(await templates.create({ ...welcome, name: "übersicht" }, bo)).toEqual(taken);
    const base = getTemplateHash({ ...welcome, name: "Übersicht" });
    const content = { ...welcome, name: "welcome" };
    expect(await templates.change(other, content, { base, defaults: UNCHANGED }, bo)).toEqual(taken);
    // A form that was sent twice.
    expect(await templates.create(welcome, operator)).toEqual({ ok: true, id });
    expect(await templates.create(welcome, operator, ["early-access"])).toEqual({ ok: true, id });
    expect(await templates.listDefaults()).toMatchObject([{ audience: "early-access", id }]);

    await templates.remove(id, operator);
    await create({ message: "Another one." });
    expect(await templates.restore(id, operator)).toEqual(taken);
  });

  it("saved twice at once is one", async () => {
    const { templates } = createTestTemplates(database);
    const results = await Promise.all([
      templates.create(welcome, operator),
      templates.create({ ...welcome, message: "Hi." }, bo),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await templates.list()).toHaveLength(1);
  });

  it("is not saved over a version that was never shown", async () => {
    const { templates, create } = createTestTemplates(database);
    const id = await create();
    const base = getTemplateHash(welcome);
    const theirs = { ...welcome, title: "Theirs" };
    const mine = { ...welcome, title: "Mine" };
    await templates.change(id, theirs, { base, defaults: UNCHANGED }, bo);
    const refused = await templates.change(id, mine, { base, defaults: UNCHANGED }, operator);
    expect(refused).toMatchObject({ ok: false, error: "changed", saved: { title: "Theirs", by: bo.by } });
    expect(await templates.find(id)).toMatchObject({ title: "Theirs" });
    const shown = { base: getTemplateHash(theirs), defaults: UNCHANGED };
    expect(await templates.change(id, mine, shown, operator)).toEqual({ ok: true });
    expect(await templates.find(id)).toMatchObject({ title: "Mine", changed_by: operator.by });
    const gone = { ok: false, error: "gone" };
    expect(await templates.change(UNKNOWN, mine, shown, operator)).toEqual(gone);
    expect(await templates.change("x", mine, shown, operator)).toEqual(gone);
    await templates.remove(id, operator);
    expect(await templates.change(id, mine, shown, operator)).toEqual(gone);
  });

  it(`is one of ${MAX_TEMPLATES} at most, deleted ones aside`, async () => {
    const { templates, create } = createTestTemplates(database);
    const first = await create({ name: "First" });
    const row = await database.read.selectFrom("campaign_templates").selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: MAX_TEMPLATES - 1 }, (_, number) => {
      const name = `other ${number}`;
      return { ...row, id: newId(), name, name_key: name };
    });
    await database.write((trx) => trx.insertInto("campaign_templates").values(others).execute());
    const tooMany = { ok: false, error: "too-many" };
    expect(await templates.create({ ...welcome, name: "One more" }, operator)).toEqual(tooMany);
    await templates.remove(first, operator);
    await create({ name: "One more" });
    expect(await templates.restore(first, operator)).toEqual(tooMany);
  });

  it("is removed for good ten minutes after its deletion", async () => {
    const { clock, templates, create } = createTestTemplates(database);
    const [kept, deleted] = [await create(), await create({ name: "Old" }, ["early-access"])];
    await templates.remove(deleted, operator);
    clock.forward(minutes(10) - 1);
    await templates.sweep();
    expect(await templates.listDeleted()).toMatchObject([{ id: deleted }]);
    clock.forward(1);
    expect(await templates.restore(deleted, operator)).toEqual({ ok: false, error: "over" });
    await templates.sweep();
    const rows = await database.read.selectFrom("campaign_templates").select("id").execute();
    expect(rows).toEqual([{ id: kept }]);
    expect(await database.read.selectFrom("campaign_template_defaults").selectAll().execute()).toEqual([]);
  });

  it("is the only default of a group, and is it again after an undo", async () => {
    const { templates, create, listActions } = createTestTemplates(database);
    const first = await create({}, ["early-access", "updates-signup"]);
    const second = await create({ name: "Second" });
    const base = getTemplateHash({ ...welcome, name: "Second" });
    const change = (defaults: Parameters<typeof templates.change>[2]["defaults"]) =>
      templates.change(second, { ...welcome, name: "Second" }, { base, defaults }, bo);
    const getDefaults = async () =>
      (await templates.listDefaults()).map(({ audience, id }) => [audience, id]);

    await change({ set: ["early-access"], clear: ["updates-signup"] });
    expect(await getDefaults(), "of another one nothing is cleared").toEqual([
      ["early-access", second],
      ["updates-signup", first],
    ]);
    await templates.remove(second, bo);
    expect(await getDefaults()).toEqual([["updates-signup", first]]);
    await templates.restore(second, bo);
    await change({ set: [], clear: ["early-access"] });
    expect(await getDefaults()).toEqual([["updates-signup", first]]);
    expect((await listActions()).filter((action) => action.includes("default"))).toEqual([
      `${operator.by} set-default-template Welcome for early-access`,
      `${operator.by} set-default-template Welcome for updates-signup`,
      `${bo.by} set-default-template Second for early-access`,
      `${bo.by} clear-default-template Second for early-access`,
    ]);
  });

  it("is listed by name, by use and by its last change", async () => {
    const { clock, templates, create } = createTestTemplates(database);
    const { outreach, draft, confirm } = createTestOutreach(database);
    await signUp(database, people(1));
    const list = async (...[sort, direction]: ["name" | "used" | "changed", "asc" | "desc"]) =>
      (await templates.list({ sort, direction })).map(({ name, used }) => [name, used]);
    const used = await create({ name: "beta" });
    clock.forward(1);
    await create({ name: "Alpha" });
    const id = await draft({ title: "", message: "" });
    await outreach.fillDraft(id, used, operator.by);
    expect(await list("used", "desc"), "a draft is no use yet").toContainEqual(["beta", 0]);
    await confirm(id);
    expect(await list("name", "asc")).toEqual([
      ["Alpha", 0],
      ["beta", 1],
    ]);
    expect(await list("used", "desc")).toEqual([
      ["beta", 1],
      ["Alpha", 0],
    ]);
    expect(await list("changed", "desc")).toEqual([
      ["Alpha", 0],
      ["beta", 1],
    ]);
  });
});

describeOnDatabases("a draft that starts from a template on %s", ({ database }) => {
  const isEmpty = { title: "", message: "" };

  it("has a copy of it, which a later change leaves alone", async () => {
    const { templates, create } = createTestTemplates(database);
    const { outreach, draft, review, confirm } = createTestOutreach(database);
    await signUp(database, people(1));
    const template = await create();
    const id = await draft({ ...isEmpty, audience: "early-access" });
    const before = await review(id);
    expect(await outreach.fillDraft(id, template, bo.by)).toEqual({ ok: true });
    const { name: _, ...copied } = welcome;
    const filled = { ...copied, template_id: template, audience: "early-access", touched_by: bo.by };
    expect(await outreach.findCampaign(id)).toMatchObject(filled);
    const reviewed = await review(id);
    expect(reviewed.contentHash).not.toBe(before.contentHash);

    const changed = { ...welcome, message: "Another text." };
    const base = getTemplateHash(welcome);
    await templates.change(template, changed, { base, defaults: UNCHANGED }, bo);
    expect(await outreach.findCampaign(id)).toMatchObject(filled);
    await templates.remove(template, bo);
    expect(await confirm(id, reviewed)).toEqual({ ok: true, already: false });
    expect(await outreach.findCampaign(id)).toMatchObject({ state: "preparing", template_id: template });
    const copy = (await outreach.copyAsDraft(id, bo.by)) ?? "";
    expect(await outreach.findCampaign(copy)).toMatchObject({ ...copied, template_id: template });
  });

  it("is reviewed again when its template became another one of the same text", async () => {
    const { create } = createTestTemplates(database);
    const { outreach, draft, review, confirm } = createTestOutreach(database);
    await signUp(database, people(1));
    const id = await draft(isEmpty);
    await outreach.fillDraft(id, await create(), operator.by);
    const reviewed = await review(id);
    await outreach.fillDraft(id, await create({ name: "Twin" }), bo.by);
    expect(await confirm(id, reviewed)).toEqual({ ok: false, error: "content-changed" });
    expect(await confirm(id)).toEqual({ ok: true, already: false });
  });

  it("keeps a text that somebody wrote, and changes one that is only a template's", async () => {
    const { templates, create } = createTestTemplates(database);
    const { outreach, draft } = createTestOutreach(database);
    const [first, second] = [await create(), await create({ name: "Second", title: "Second" })];
    const written = await draft({ title: "", message: "Mine." });
    expect(await outreach.fillDraft(written, first, operator.by)).toEqual({ ok: false, error: "has-text" });
    expect(await outreach.findCampaign(written)).toMatchObject({ message: "Mine.", template_id: null });

    const id = await draft(isEmpty);
    expect(await outreach.fillDraft(id, first, operator.by)).toEqual({ ok: true });
    expect(await outreach.fillDraft(id, second, operator.by)).toEqual({ ok: true });
    expect(await outreach.findCampaign(id)).toMatchObject({ title: "Second", template_id: second });
    await draft({ id, title: "Second, and mine" });
    expect(await outreach.findCampaign(id)).toMatchObject({ template_id: second });
    expect(await outreach.fillDraft(id, first, operator.by)).toEqual({ ok: false, error: "has-text" });

    const gone = { ok: false, error: "template-gone" };
    expect(await outreach.fillDraft(id, UNKNOWN, operator.by)).toEqual(gone);
    await templates.remove(first, operator);
    expect(await outreach.fillDraft(id, first, operator.by)).toEqual(gone);
    await outreach.discardDraft(id);
    expect(await outreach.fillDraft(id, second, operator.by)).toEqual({ ok: false, error: "draft-gone" });
  });

  it("takes the place of a written one, which is kept", async () => {
    const { create } = createTestTemplates(database);
    const { outreach, draft, confirm } = createTestOutreach(database);
    await signUp(database, people(1));
    const template = await create();
    const id = await draft({ title: "Mine", audience: "updates-signup" });
    const newDraft = newId();
    const options = { newDraft, templateId: template, by: bo.by };
    // A form that is sent twice.
    expect(
      await Promise.all([outreach.replaceDraft(id, options), outreach.replaceDraft(id, options)]),
    ).toEqual([{ ok: true }, { ok: true }]);
    expect(await outreach.findCampaign(id)).toMatchObject({
      title: "Mine",
      template_id: null,
      finished_at: null,
    });
    const started = { state: "draft", title: welcome.title, audience: "updates-signup", created_by: bo.by };
    expect(await outreach.findCampaign(newDraft)).toMatchObject({ ...started, template_id: template });
    expect((await outreach.listDrafts({ limit: 10 })).map((each) => each.id).sort()).toEqual(
      [id, newDraft].sort(),
    );

    const other = await draft({ title: "To be sent" });
    await confirm(other);
    expect(await outreach.replaceDraft(other, options)).toEqual({ ok: false, error: "draft-gone" });
    expect(await outreach.replaceDraft(id, { ...options, newDraft: "x" })).toMatchObject({ ok: false });
  });

  it("is not overwritten by an autosave that was under way", async () => {
    const { create } = createTestTemplates(database);
    const { outreach, draft } = createTestOutreach(database);
    const form = newId();
    const content = { audience: "early-access", format: "text", testAddress: "", ...isEmpty } as const;
    const id = await draft(isEmpty);
    await outreach.saveDraft({ ...content, id, form, base: "", createdBy: operator.by });
    await outreach.fillDraft(id, await create(), operator.by);
    const late = { ...content, id, form, base: "", createdBy: operator.by };
    expect(await outreach.saveDraft(late)).toMatchObject({ ok: false, error: "changed" });
    expect(await outreach.findCampaign(id)).toMatchObject({ title: welcome.title });
  });
});
