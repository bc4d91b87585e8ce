import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_TEXTS } from "../factories/hostile-texts";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { rowsOf, someone, stampOfAPerson, submit } from "./visitors";

const ADDRESS = "ada.byron@example.com";

let server: ServerProcess;
let signedIn: Record<string, string>;
let stamp: string;
beforeAll(async () => {
  server = await sharedServer();
  signedIn = { Cookie: await logIn(server, undefined, someone()) };
  stamp = await stampOfAPerson(server);
});

const idsOf = (address: string) =>
  rowsOf(server, "select id from submissions where email_key = ? order by id", address).map(({ id }) =>
    String(id),
  );
const open = (id: string, search = "") => server.fetch(`/admin/people/${id}${search}`, { headers: signedIn });
const post = (path: string, fields: Record<string, string> = {}, headers = signedIn) =>
  server.fetch(`/admin/people/${path}`, formPost(fields, headers));

describe("the page of a person", () => {
  it("shows whatever they typed as text, and says that devices are nobody's (C14)", async () => {
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const email = `hostile-${index}@example.com`;
      await submit(server, "/contact", { stamp, email, fullName: text, message: text }, someone());
      const [id] = idsOf(email);
      if (id === undefined) continue;
      const answer = await open(id);
      expect(answer.status).toBe(200);
      const html = await answer.text();
      expect(html).not.toMatch(/<script>document|<img src=x|<svg onload/);
      expect(html).toContain("Devices are registered without a name");
    }
    expect(rowsOf(server, "select id from submissions").length).toBeGreaterThan(3);
  });

  it("leads back to the submissions from an id nobody has, whatever was asked", async () => {
    const gone = "/admin/submissions/early-access?notice=person-gone";
    for (const id of ["x", "%F0%9F%92%A9", "00000000-0000-7000-8000-000000000000"]) {
      expect((await open(id)).headers.get("Location"), id).toBe(gone);
      expect((await post(id, { intent: "erase" })).headers.get("Location"), id).toBe(gone);
      expect((await post(`${id}/export`)).headers.get("Location"), id).toBe(gone);
    }
  });

  it("gives a copy of everything as a file that no cache keeps, and erases after a question (C7, C36)", async () => {
    await submit(server, "/early-access", { stamp, email: ADDRESS, name: "Ada Byron" }, someone());
    await submit(server, "/contact", { stamp, email: ADDRESS, message: "Hello there" }, someone());
    const [id = "", other] = idsOf(ADDRESS);
    const copy = await post(`${id}/export`);
    expect(copy.status).toBe(200);
    expect(copy.headers.get("Content-Disposition")).toBe(
      `attachment; filename="person-${id.slice(0, 8)}.json"`,
    );
    expect(copy.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    expect(copy.headers.get("Cache-Control")).toBe("no-store");
    const kept = (await copy.json()) as { address: string; forms: { id: string; wording: string }[] };
    expect(kept.address).toBe(ADDRESS);
    expect(kept.forms.map((form) => form.id)).toEqual([other, id]);
    expect(kept.forms.every((form) => form.wording !== "")).toBe(true);
    expect(JSON.stringify(kept)).toMatch(/"created_at":"20\d\d-\d\d-\d\dT[\d:.]+Z"/);
    expect(JSON.stringify(kept)).not.toMatch(/(?:_at|At)":\d/);

    const asked = await (await open(id, "?step=erase")).text();
    expect(asked).toContain("2 submissions and their consent records");
    expect(asked).toContain("Activity keeps its earlier entries about this address");
    const foreign = await post(id, { intent: "erase" }, { ...signedIn, "Sec-Fetch-Site": "cross-site" });
    expect(foreign.status).toBe(403);
    expect((await post(id, { intent: "something" })).headers.get("Location")).toBe(`/admin/people/${id}`);
    expect(idsOf(ADDRESS)).toHaveLength(2);

    const erased = await post(id, { intent: "erase" });
    expect([erased.status, erased.headers.get("Location")]).toEqual([
      303,
      "/admin/submissions/early-access?notice=person-erased",
    ]);
    expect(idsOf(ADDRESS)).toEqual([]);
    const audit = rowsOf(server, "select action, subject from audit order by id desc limit 2");
    expect(audit).toEqual([
      { action: "erase-person", subject: "2 submissions" },
      { action: "export-person", subject: ADDRESS },
    ]);
    // The address stands in no line of the log.
    expect(server.output()).not.toContain(ADDRESS);
  });
});
