import { expect, it } from "vitest";
import { minutes } from "~/lib/durations";
import { createNotes } from "~/services/people/notes.server";
import { newId } from "~/services/service-deps";
import { readAudit } from "../factories/accounts";
import { createOvertakenDatabase } from "../factories/blocked-writes";
import { ADA, createTestPeople } from "../factories/people";
import { operator } from "../factories/outreach";
import { storeSubmissions } from "../factories/submissions";
import { createTestClock } from "../factories/time";
import { describeOnDatabases } from "./use-database";

const author = { email: operator.by, role: "admin" } as const;

describeOnDatabases("notes about a person on %s", ({ database, place }) => {
  const clock = createTestClock();
  const notes = createNotes({ database, clock, newId });
  const { peopleOn, listTablesNaming } = createTestPeople(database, "");
  const list = async (id: string) =>
    (await peopleOn().find(id, { limit: 50 }))?.notes.map(({ text }) => text);

  it("are added to the person of any submission, and audited without their text", async () => {
    const [first = "", second = ""] = await storeSubmissions(database, [{ email: ADA }, { email: ADA }]);
    expect(await notes.add(first, "Met in Turin.", operator)).toBe(true);
    expect(await notes.add(second, "Wants a demo.", operator)).toBe(true);
    expect(await list(first)).toEqual(["Wants a demo.", "Met in Turin."]);
    expect(await readAudit(database)).toMatchObject([
      { action: "add-note", subject: ADA, actor: operator.by },
      { action: "add-note", subject: ADA },
    ]);
    expect(await notes.add(newId(), "Nobody", operator)).toBe(false);
    expect(await listTablesNaming("Turin")).toEqual(["person_notes"]);
  });

  it("are added once when pressed again, because no answer came", async () => {
    const [first = ""] = await storeSubmissions(database, [{ email: ADA }]);
    for (const text of ["One", "One", "Two", "One"])
      expect(await notes.add(first, text, operator)).toBe(true);
    expect(await notes.add(first, "One", { ...operator, by: "colleague@example.com" })).toBe(true);
    expect(await list(first)).toEqual(["One", "One", "Two", "One"]);
    expect(await readAudit(database)).toHaveLength(4);
    clock.forward(minutes(11));
    await notes.add(first, "One", { ...operator, by: "colleague@example.com" });
    expect(await list(first)).toHaveLength(5);
  });

  it("are added to a person whom an update has not added yet", async () => {
    const [first = ""] = await storeSubmissions(database, [{ email: ADA }]);
    await database.write((trx) => trx.deleteFrom("people").execute());
    expect(await notes.add(first, "Early.", operator)).toBe(true);
    expect(await list(first)).toEqual(["Early."]);
  });

  it("are not added to a person whom a colleague erases at the same moment", async () => {
    const [first = ""] = await storeSubmissions(database, [{ email: ADA }]);
    const elsewhere = await place.open();
    const { add } = createNotes({ database: elsewhere, clock, newId });
    let added: Promise<boolean> | undefined;
    const overtaken = createOvertakenDatabase(database, () => (added ??= add(first, "Late.", operator)));
    expect(await peopleOn(overtaken).erase(first, operator)).toMatchObject({ ok: true });
    expect(await added).toBe(false);
    await elsewhere.close();
  });

  it("are removed by their author and by superadmins alone", async () => {
    const [first = ""] = await storeSubmissions(database, [{ email: ADA }]);
    for (const text of ["One", "Two"]) await notes.add(first, text, operator);
    const [two, one] = (await peopleOn().find(first, { limit: 50 }))!.notes;
    const colleague = { email: "colleague@example.com", role: "admin" } as const;
    expect(await notes.remove(one!.id, colleague, operator)).toBe(false);
    expect(await notes.remove(one!.id, author, operator)).toBe(true);
    expect(await notes.remove(two!.id, { ...colleague, role: "superadmin" }, operator)).toBe(true);
    for (const id of [two!.id, newId(), "\0"]) expect(await notes.remove(id, author, operator)).toBe(false);
    expect(await list(first)).toEqual([]);
    expect((await readAudit(database)).at(-1)).toMatchObject({ action: "remove-note", subject: ADA });
  });

  it("are exported, and go with the person", async () => {
    const [first = ""] = await storeSubmissions(database, [{ email: ADA }]);
    await notes.add(first, "Met in Turin.", operator);
    const data: Record<string, unknown> = (await peopleOn().export(first, operator))!;
    expect(data.notes).toMatchObject([{ text: "Met in Turin.", author: operator.by }]);
    await peopleOn().erase(first, operator);
    expect(await listTablesNaming("Turin")).toEqual([]);
  });
});
