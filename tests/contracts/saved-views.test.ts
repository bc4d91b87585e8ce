import { expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { countRows } from "~/db/rows";
import { minutes } from "~/lib/durations";
import { newId } from "~/services/service-deps";
import {
  createSavedViews,
  MAX_VIEWS,
  VIEW_QUERY_MAX_LENGTH,
  viewsPersonData,
} from "~/services/views/saved-views.server";
import { createTestUserManagement, origin } from "../factories/accounts";
import { createOvertakenDatabase } from "../factories/blocked-writes";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const PEOPLE = "/admin/people";
const LOGS = "/admin/logs";
const UNKNOWN = "019aa000-0000-7000-8000-000000000000";
const ok = { ok: true };
const gone = { ok: false, error: "gone" };
const nameTaken = { ok: false, error: "name-taken" };

/** Ada and Grace are admins, `root` a superadmin. */
async function createTestViews(database: Database) {
  const { users, who, add } = await createTestUserManagement(database);
  const views = createSavedViews({ database, clock: createTestClock(), newId });
  const addAdmin = async (email: string) => {
    const { id: accountId } = await add({ email, fullName: email });
    return { accountId, role: "admin", email } as const;
  };
  const [ada, grace, root] = [await addAdmin("ada@example.com"), await addAdmin("grace@example.com"), who];
  type Operator = typeof ada | typeof root;
  const toActor = ({ email }: Operator) => ({ by: email, network: "", requestId: "" });
  const content = { list: PEOPLE, name: "Acme", query: "company=Acme", isShared: false };
  return {
    ada,
    grace,
    root,
    save: (operator: Operator, differing: Partial<typeof content> = {}) =>
      views.save({ ...content, ...differing }, operator, toActor(operator)),
    change: (operator: Operator, id: string, change: Parameters<typeof views.change>[1]) =>
      views.change(id, change, operator, toActor(operator)),
    remove: (operator: Operator, id: string) => views.remove(id, operator, toActor(operator)),
    list: views.list,
    find: async (operator: Operator, name = "Acme") =>
      (await views.list(operator, PEOPLE)).find((view) => view.name === name)!,
    removeAccount: ({ accountId }: Operator) => users.removeAccount(who, accountId, origin),
    listActions: async () => {
      const entries = await database.read
        .selectFrom("audit")
        .select(["actor", "action", "subject"])
        .where("action", "like", "%-view")
        .orderBy("id")
        .execute();
      return entries.map(({ actor, action, subject }) => `${actor} ${action} ${subject}`);
    },
  };
}

describeOnDatabases("a saved view on %s", ({ database }) => {
  it("is its maker's alone until it is shared, and the activity has what is shared", async () => {
    const { ada, grace, root, save, change, remove, list, find, listActions } =
      await createTestViews(database);
    expect(await save(ada)).toEqual(ok);
    const { id } = await find(ada);
    expect(await list(grace)).toEqual([]);
    expect(await change(grace, id, { name: "Mine" })).toEqual(gone);
    expect(await change(root, id, { name: "Mine" })).toEqual(gone);
    expect(await listActions()).toEqual([]);

    expect(await change(ada, id, { isShared: true })).toEqual(ok);
    const shared = { name: "Acme", query: "company=Acme", by: ada.email, isShared: true };
    expect(await list(ada)).toEqual([expect.objectContaining({ ...shared, isOwn: true, canChange: true })]);
    expect(await list(grace)).toEqual([
      expect.objectContaining({ ...shared, isOwn: false, canChange: false }),
    ]);
    expect(await list(root)).toEqual([expect.objectContaining({ ...shared, isOwn: false, canChange: true })]);
    expect(await change(grace, id, { isShared: false })).toEqual(gone);
    expect(await remove(grace, id)).toBe(false);

    expect(await change(root, id, { name: "Acme & Co", query: "domain=acme.example" })).toEqual(ok);
    expect(await find(ada, "Acme & Co")).toMatchObject({ query: "domain=acme.example", isOwn: true });
    expect(await change(ada, id, { isShared: false })).toEqual(ok);
    expect(await remove(root, id)).toBe(false);
    expect(await remove(ada, id)).toBe(true);
    expect(await remove(ada, id)).toBe(false);
    expect(await listActions()).toEqual([
      `${ada.email} share-view Acme`,
      `${root.email} change-view Acme & Co`,
      `${ada.email} unshare-view Acme & Co`,
    ]);
    expect(await change(ada, UNKNOWN, { name: "x" })).toEqual(gone);
    expect(await change(ada, "'", { name: "x" })).toEqual(gone);
  });

  it("has a name of its own among those of its maker and list", async () => {
    const { ada, grace, save, change, list, find } = await createTestViews(database);
    expect(await save(ada)).toEqual(ok);
    expect(await save(ada)).toEqual(ok);
    expect(await save(ada, { name: "ACME", query: "q=acme" })).toEqual(nameTaken);
    expect(await save(ada, { isShared: true })).toEqual(nameTaken);
    expect(await save(ada, { list: LOGS })).toEqual(ok);
    expect(await save(grace, { isShared: true })).toEqual(ok);
    expect((await list(ada, PEOPLE)).map(({ name, isOwn }) => [name, isOwn])).toEqual([
      ["Acme", true],
      ["Acme", false],
    ]);
    expect(await save(ada, { name: "Others" })).toEqual(ok);
    const { id } = await find(ada, "Others");
    expect(await change(ada, id, { name: "acme" })).toEqual(nameTaken);
    expect(await change(ada, id, { list: LOGS, query: "level=ERROR" })).toEqual(gone);
    expect(await change(ada, id, { name: "OTHERS" })).toEqual(ok);
    expect((await list(ada)).length).toBe(4);
  });

  it("is one of two that are saved under a name at once", async () => {
    const { ada, save, list } = await createTestViews(database);
    const saved = await Promise.all(["q=a", "q=b"].map((query) => save(ada, { query })));
    expect(saved.map(({ ok: isSaved }) => isSaved).toSorted()).toEqual([false, true]);
    expect(await list(ada)).toHaveLength(1);
  });

  it("is refused beyond the number and the length", async () => {
    const { ada, save, change, find } = await createTestViews(database);
    const tooLong = { ok: false, error: "too-long" };
    expect(await save(ada, { query: "q".repeat(VIEW_QUERY_MAX_LENGTH + 1) })).toEqual(tooLong);
    for (let n = 0; n < MAX_VIEWS; n += 1) expect(await save(ada, { name: `View ${n}` })).toEqual(ok);
    expect(await save(ada, { name: "One more" })).toEqual({ ok: false, error: "too-many" });
    expect(await save(ada, { name: "One more", list: LOGS })).toEqual(ok);
    const { id } = await find(ada, "View 3");
    expect(await change(ada, id, { query: "q".repeat(VIEW_QUERY_MAX_LENGTH + 1) })).toEqual(tooLong);
  });

  it("goes with its maker's account, and a shared one stays for superadmins", async () => {
    const { ada, grace, root, save, change, remove, list, find, removeAccount } =
      await createTestViews(database);
    await save(ada, { name: "Own" });
    await save(ada, { name: "Shared", isShared: true });
    await save(ada, { name: "Team", isShared: true });
    expect(await removeAccount(ada)).toEqual(ok);
    expect(await countRows(database.read.selectFrom("saved_views"))).toBe(2);
    expect(await find(grace, "Shared")).toMatchObject({ by: null, isOwn: false, canChange: false });
    const { id, canChange } = await find(root, "Shared");
    expect(canChange).toBe(true);
    expect(await change(root, id, { name: "Team" })).toEqual(ok);
    expect(await change(root, id, { isShared: false })).toEqual(ok);
    expect(await list(root)).toEqual([
      expect.objectContaining({ name: "Team", by: root.email, isOwn: true, isShared: false }),
      expect.objectContaining({ name: "Team", by: null, isOwn: false, isShared: true }),
    ]);
    expect(await remove(root, id)).toBe(true);
    expect((await list(grace)).map(({ name }) => name)).toEqual(["Team"]);
  });

  it("that outlived its maker's account is not shared again by who renames it at the same moment", async () => {
    const { ada, grace, root, save, change, find, removeAccount } = await createTestViews(database);
    await save(ada, { isShared: true });
    await removeAccount(ada);
    const { id } = await find(root);
    const other = { ...root, ...grace, role: root.role };
    let renaming: ReturnType<typeof change> | undefined;
    const overtaken = createOvertakenDatabase(
      database,
      () => (renaming = change(other, id, { name: "Acme & Co" })),
    );
    const views = createSavedViews({ database: overtaken, clock: createTestClock(), newId });
    const actor = { by: root.email, network: "", requestId: "" };
    expect(await views.change(id, { isShared: false }, root, actor)).toEqual(ok);
    expect(await renaming).toEqual(gone);
    expect(await find(root)).toMatchObject({ by: root.email, isShared: false });
  });

  it("that names a person is exported and erased with them", async () => {
    const { ada, save, list } = await createTestViews(database);
    const address = "grace_h+1@example.com";
    const query = String(new URLSearchParams({ q: "Grace_H+1@Example.com", form: "none" }));
    await save(ada, { name: "By address", query });
    await save(ada, { name: `For ${address}`, query: "sort=name" });
    for (const other of ["graceXh+1@example.com", `a.${address}`, `${address}.example`])
      await save(ada, { name: `Of ${other}`, query: String(new URLSearchParams({ q: other })) });
    expect(await viewsPersonData.export?.(database.read, address)).toEqual([
      { list: PEOPLE, name: "By address", query },
      { list: PEOPLE, name: `For ${address}`, query: "sort=name" },
    ]);
    await database.write((trx) => viewsPersonData.erase!(trx, address, minutes(1)));
    expect((await list(ada)).map(({ name }) => name)).toEqual([
      "Of a.grace_h+1@example.com",
      "Of grace_h+1@example.com.example",
      "Of graceXh+1@example.com",
    ]);
  });

  // R48
  it("that names a person as typed, at a domain outside ASCII, is erased with them", async () => {
    const { ada, save, list } = await createTestViews(database);
    const typed = "Grace\u00ad@M\u00fcller.example";
    await save(ada, { name: "By address", query: String(new URLSearchParams({ q: `acme ${typed}` })) });
    await save(ada, { name: `For ${typed}`, query: "sort=name" });
    for (const name of [`Grace (${typed})`, `<${typed}>`, `${typed}, Zo\u00eb`, `'${typed}'?`]) {
      await save(ada, { name, query: "sort=name" });
    }
    await save(ada, { name: "Of others", query: String(new URLSearchParams({ q: "ace@müller.example" })) });
    await database.write((trx) => viewsPersonData.erase!(trx, "grace@xn--mller-kva.example", minutes(1)));
    expect((await list(ada)).map(({ name }) => name)).toEqual(["Of others"]);
  });
});
