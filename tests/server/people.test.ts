import { describe, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { bearer, makeToken } from "./made-tokens";
import { useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { execute, readRows, submit } from "./visitors";
import { useServer } from "./use-server";

const ADDRESS = "ada.byron@example.com";

const server = useServer();
const { superadmin, createDraft, confirm, waitForState } = useOutreachScreens(server);

const listIds = (address: string) =>
  readRows(server, "select id from submissions where email_key = ? order by id", address).map(({ id }) =>
    String(id),
  );
const post = (path: string, fields?: Record<string, string>) =>
  superadmin.post(`/admin/people/${path}`, fields);

describe("the page of a person", () => {
  // C14
  it("shows everything typed as text, and says that devices are anonymous", async () => {
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const email = `hostile-${index}@example.com`;
      await submit(server, "/contact", { email, fullName: text, message: text });
      const [id] = listIds(email);
      if (id === undefined) continue;
      const html = await superadmin.read(`/admin/people/${id}`);
      expect(html).not.toMatch(/<script>document|<img src=x|<svg onload/);
      expect(html).toContain("Devices are registered without a name");
    }
    expect(readRows(server, "select id from submissions").length).toBeGreaterThan(3);
  });

  // C14
  it("shows notes and corrections as text, and keeps what was typed in a refused one", async () => {
    await submit(server, "/early-access", { email: "lena@example.com", name: "Lena" });
    const [id = ""] = listIds("lena@example.com");
    const shown = { "shown-name": "Lena", "shown-email": "lena@example.com", email: "lena@example.com" };
    for (const text of HOSTILE_TEXTS) {
      const note = await post(id, { intent: "add-note", text });
      expect([303, 422]).toContain(note.status);
      const reason = text.replaceAll(/\s+/g, " ").slice(0, 100);
      const correction = await post(id, { intent: "correct", ...shown, name: reason, reason });
      expect([303, 422]).toContain(correction.status);
      if (correction.status === 303) {
        const [person] = readRows(server, "select name from people where id = ?", id);
        shown["shown-name"] = String(person?.name);
      }
      const html = await superadmin.read(`/admin/people/${id}?step=edit`);
      expect(html).not.toMatch(/<script>document|<img src=x|<svg onload/);
    }
    expect(readRows(server, "select id from person_notes").length).toBeGreaterThan(3);
    expect(readRows(server, "select id from person_corrections").length).toBeGreaterThan(3);

    const long = await post(id, { intent: "add-note", text: "x".repeat(5001) });
    expect(long.status).toBe(422);
    const refused = await long.text();
    expect(refused).toContain("Please shorten the note to 5,000 characters.");
    expect(refused).toContain("x".repeat(5001));
    const kept = await post(`${id}?step=edit`, { intent: "correct", ...shown, name: "Typed name" });
    expect(kept.status).toBe(422);
    const form = await kept.text();
    expect(form).toContain("Please enter the reason.");
    expect(form).toContain('value="Typed name"');
    for (const [intent, notice] of [
      ["remove-note", "note-gone"],
      ["undo", "correction-over"],
    ]) {
      const answer = await post(id, { intent: intent!, note: "x", correction: "\0" });
      expect(answer.headers.get("Location")).toBe(`/admin/people/${id}?notice=${notice}`);
    }
  });

  it("says that the person unsubscribed where another reason stops their emails", async () => {
    await submit(server, "/updates", { email: "tim@example.com", name: "Tim" });
    const [id] = listIds("tim@example.com");
    await superadmin.post("/admin/suppressions/add", { intent: "one", address: "tim@example.com", note: "" });
    for (const [reason, isToldToo] of [
      ["unsubscribed", false],
      ["refused", true],
    ] as const) {
      const change = "update suppressions set reason = ?, opted_out = 1 where email_key = 'tim@example.com'";
      execute(server, change, reason);
      const html = await superadmin.read(`/admin/people/${id}`);
      expect([reason, html.includes("Also unsubscribed")]).toEqual([reason, isToldToo]);
    }
  });

  it("redirects to the people for an unknown id", async () => {
    const gone = "/admin/people?notice=person-gone";
    for (const id of ["x", "%F0%9F%92%A9", "00000000-0000-7000-8000-000000000000"]) {
      expect((await superadmin.get(`/admin/people/${id}`)).headers.get("Location"), id).toBe(gone);
      expect((await post(id, { intent: "erase" })).headers.get("Location"), id).toBe(gone);
      expect((await post(`${id}/export`)).headers.get("Location"), id).toBe(gone);
    }
  });

  it("is reached from the id of any of their submissions", async () => {
    await submit(server, "/early-access", { email: "grace@example.com", name: "Grace Hopper" });
    await submit(server, "/contact", { email: "grace@example.com", message: "Hello there" });
    const [id, other = ""] = listIds("grace@example.com");
    const { status, headers } = await superadmin.get(`/admin/people/${other}?step=erase`);
    expect([status, headers.get("Location")]).toEqual([303, `/admin/people/${id}?step=erase`]);
    expect(await superadmin.read(`/admin/people/${id}`)).toContain("Hello there");
  });

  it("leads after a merge to the person that is kept, also where nothing has the other's id", async () => {
    const [from, to] = ["ada.lovelace@example.com", "bob@example.com"];
    await submit(server, "/early-access", { email: from, name: "Ada" });
    await submit(server, "/contact", { email: from, fullName: "Ada", message: "Hello there" });
    await submit(server, "/early-access", { email: to, name: "Bob" });
    const [id = ""] = listIds(from);
    const [kept = ""] = listIds(to);
    execute(server, "delete from submissions where id = ?", id);
    const correction = {
      "shown-name": "Ada",
      "shown-email": from,
      name: "Ada",
      email: to,
      reason: "One person",
    };
    const merged = await post(id, { intent: "merge", "merge-with": kept, ...correction });
    const location = merged.headers.get("Location") ?? "";
    expect(location).toMatch(new RegExp(`^/admin/people/${kept}\\?correction=[^&]+&notice=people-merged$`));
    expect(await superadmin.read(location)).toContain("The two were merged.");
    const undo = {
      intent: "undo",
      correction: new URL(location, server.origin).searchParams.get("correction")!,
    };
    const undone = await post(kept, undo);
    expect(undone.headers.get("Location")).toBe(`/admin/people/${id}?notice=correction-undone`);
    expect(await superadmin.read(`/admin/people/${id}`)).toContain(from);
  });

  // C36
  it("exports everything as an uncached file, and erases after a confirmation", async () => {
    await submit(server, "/early-access", { email: ADDRESS, name: "Ada Byron" });
    await submit(server, "/contact", { email: ADDRESS, message: "Hello there" });
    const [id = "", other] = listIds(ADDRESS);
    const shown = { "shown-name": "Ada Byron", "shown-email": ADDRESS, email: ADDRESS };
    await post(id, { intent: "correct", ...shown, name: "Ada King", reason: "Typo" });
    const file = await post(`${id}/export`);
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      "content-disposition": `attachment; filename="person-${id.slice(0, 8)}.json"`,
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
    });
    const data = (await file.json()) as { address: string; forms: { id: string; wording: string }[] };
    expect(data.address).toBe(ADDRESS);
    expect(data.forms.map((form) => form.id)).toEqual([other, id]);
    expect(data.forms.every((form) => form.wording !== "")).toBe(true);
    expect(JSON.stringify(data)).toMatch(/"created_at":"20\d\d-\d\d-\d\dT[\d:.]+Z"/);
    expect(JSON.stringify(data)).toMatch(/"reason":"Typo","at":"20\d\d-/);
    expect(JSON.stringify(data)).not.toMatch(/(?:_at|At)":\d/);

    const question = await superadmin.read(`/admin/people/${id}?step=erase`);
    expect(question).toContain("2 submissions and their consent records");
    expect(question).toContain("Activity keeps its earlier entries about this address");
    expect((await post(id, { intent: "something" })).headers.get("Location")).toBe(`/admin/people/${id}`);
    expect(listIds(ADDRESS)).toHaveLength(2);

    const erased = await post(id, { intent: "erase" });
    expect(erased.headers.get("Location")).toBe("/admin/people?notice=person-erased");
    expect(listIds(ADDRESS)).toEqual([]);
    const audit = readRows(server, "select action, subject from audit order by id desc limit 2");
    expect(audit).toEqual([
      { action: "erase-person", subject: "2 submissions" },
      { action: "export-person", subject: ADDRESS },
    ]);
    // No line of the log contains the address.
    expect(server.output()).not.toContain(ADDRESS);
  });

  it("counts the emails that were sent, and before an erasure those that were not too", async () => {
    const email = "una@example.com";
    await submit(server, "/early-access", { email, name: "Una" });
    const page = `/admin/people/${listIds(email)[0]}`;
    const campaign = await createDraft();
    await confirm(campaign);
    await waitForState(campaign, "finished");
    expect(await superadmin.read(page)).toContain("1 campaign email.");
    execute(server, "update deliveries set state = 'skipped' where email_key = ?", email);
    const html = await superadmin.read(`${page}?step=erase`);
    expect(html).toContain("No campaign emails.");
    expect(html).toContain("erased from 1 delivery of campaigns");
  });
});

// R48
it("a domain outside ASCII finds its people on the screen and by the API", async () => {
  await submit(server, "/early-access", { email: "lena@müller.example", name: "Lena" });
  const stored = "lena@xn--mller-kva.example";
  expect(await superadmin.read("/admin/people?domain=Müller.example")).toContain(stored);
  const token = await makeToken(server, superadmin.cookie, { scopes: ["people:read"] });
  const headers = bearer(token);
  for (const domain of ["Müller.example", "@müller.example", "XN--MLLER-KVA.example"]) {
    const answer = await server.fetch(`/api/people?${new URLSearchParams({ domain })}`, { headers });
    expect(await answer.json()).toMatchObject({ data: [{ email: stored }] });
  }
});

describe("the list of people", () => {
  it("keeps the chosen campaign by its title beside a date that is refused", async () => {
    // A draft is not among the latest campaigns, as no older campaign is.
    const content = {
      title: "The first wave",
      message: "Come in.",
      audience: "early-access",
      testAddress: "",
    };
    const draft = { draft: "", ...content, intent: "save" };
    const saved = await superadmin.post("/admin/dashboard", draft);
    const id = new URL(saved.headers.get("Location") ?? "", server.origin).searchParams.get("draft") ?? "";
    const query = `campaign=${id}&got=any&from=2026-02-02&to=2026-01-01`;
    const html = await readText(superadmin.get(`/admin/people?${query}`), 422);
    expect(html).toMatch(/<option[^>]*selected[^>]*>The first wave<\/option>/);
  });
});
