import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import { DatabaseTenantDirectory } from "~/services/tenants/drivers/database-tenant-directory.server";
import { importTenants } from "~/services/tenants/import-tenants.server";
import { readAudit } from "../factories/accounts";
import { runNode } from "../run-node";
import { describeOnDatabases } from "./use-database";

describeOnDatabases("companies on %s", ({ database, place }) => {
  const list = () => new DatabaseTenantDirectory(database).list();
  const load = (file: string | Buffer) =>
    importTenants({ database, clock: () => 1, newId }, Buffer.from(file as string));

  it("are imported from a file; known ones are updated", async () => {
    expect(await list()).toEqual([]);
    expect(await load("id,name,domain\r\n2,Zed,\r\n1,Acme,acme.com\r\n")).toEqual({ ok: true, count: 2 });
    expect(await load('\ufeffdomain,ID,name\n\nacme.org,1,"Acme, Inc."\n')).toEqual({ ok: true, count: 1 });
    expect(await list()).toEqual([
      { id: "1", name: "Acme, Inc.", domain: "acme.org" },
      { id: "2", name: "Zed", domain: "" },
    ]);
    expect(await readAudit(database)).toMatchObject([
      { actor: "system", action: "import-tenants", subject: "2" },
      { actor: "system", action: "import-tenants", subject: "1" },
    ]);
  });

  it("keep their domain when a file has no such column", async () => {
    await load("id,name,domain\n1,Acme,acme.com\n");
    expect(await load("id,name\n1,Acme Inc\n2,Zed\n")).toEqual({ ok: true, count: 2 });
    expect(await list()).toEqual([
      { id: "1", name: "Acme Inc", domain: "acme.com" },
      { id: "2", name: "Zed", domain: "" },
    ]);
    await load("id,name,domain\n1,Acme,\n");
    expect(await list()).toContainEqual({ id: "1", name: "Acme", domain: "" });
  });

  it.each([
    ["", { problem: "no-header" }],
    ["1,Acme,acme.com\n", { problem: "no-header" }],
    ["id,name\n1,Acme\n,Zed\n", { problem: "no-id", line: 3 }],
    ["id,name\n1,\n", { problem: "no-name", line: 2 }],
    ["id,name\n1,Acme\n1,Acme\n", { problem: "twice", line: 3 }],
    [`id,name\n1,${"x".repeat(201)}\n`, { problem: "too-long", line: 2 }],
    ["id,name\n1,A\0B\n", { problem: "encoding", line: 2 }],
    ['id,name\n1,"A\nB"\n2,"C\n3,D\n', { problem: "open-quote", line: 4 }],
    ['id,name\n1,"A\nB"\n2,\n', { problem: "no-name", line: 4 }],
  ])("are not changed by an invalid file: %j", async (file, problem) => {
    expect(await load(file)).toEqual({ ok: false, ...problem });
    expect(await list()).toEqual([]);
  });

  // R47
  it("are imported from UTF-16, and not from another encoding, whose line is named", async () => {
    const file = "id,name\r\n1,Acme\r\n2,Müller 王\r\n";
    expect(await load(Buffer.from("id,name\r\n1,Acme\r\n2,M\xfcller\r\n", "latin1"))).toEqual({
      ok: false,
      problem: "encoding",
      line: 3,
    });
    expect(await list()).toEqual([]);
    expect(await load(Buffer.from(`\ufeff${file}`, "utf16le"))).toEqual({ ok: true, count: 2 });
    expect((await list()).map(({ name }) => name)).toEqual(["Acme", "Müller 王"]);
  });

  it("are imported from a file of 2,000 lines", async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `${index},Company ${index},`);
    expect(await load(`id,name,domain\n${lines.join("\n")}`)).toEqual({ ok: true, count: 2_000 });
    expect(await list()).toHaveLength(2_000);
  });

  it("are imported by the command, which changes nothing on an error", async () => {
    const file = join(place.environment.DATA_DIR, "companies.csv");
    const run = (content: string) => {
      writeFileSync(file, content);
      return runNode(["scripts/tenants.ts", "import", file], place.environment);
    };
    const done = await run("id,name,domain\n1,Acme,acme.com\n");
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining("1 companies are up to date.") });
    const refused = await run("id,name\n2,Zed\n,Borg\n");
    expect(refused.output).toContain("line 3: the id is missing. Nothing was imported.");
    expect(refused.code).toBe(1);
    expect((await list()).map(({ name }) => name)).toEqual(["Acme"]);
  });
});
