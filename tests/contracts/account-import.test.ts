import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UpstreamError } from "~/lib/upstream-error";
import { EndpointAccountSource } from "~/services/accounts/drivers/endpoint-account-source.server";
import { importAccounts } from "~/services/accounts/import-accounts.server";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import { newId } from "~/services/service-deps";
import { findAccount, hasher, insertAccount, readAudit } from "../factories/accounts";
import { listen } from "../fakes/listen";
import { runNode } from "../run-node";
import { describeOnDatabases } from "./use-database";

/** A hosted account endpoint that answers by a redirect, as spreadsheet-backed ones do. */
let server: Server;
let url: string;
/** `meanwhile`: what happens while the command waits for the answer. */
let answer: { status: number; text: string | Buffer; meanwhile?: () => Promise<unknown> };
beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === "/exec") return void response.writeHead(302, { Location: "/echo" }).end();
    const { status, text, meanwhile = () => Promise.resolve() } = answer;
    void meanwhile().then(() => response.writeHead(status, { "Content-Type": "application/json" }).end(text));
  });
  url = `http://127.0.0.1:${await listen(server)}/exec`;
});
afterEach(() => void server.close());

const setAnswer = (data: unknown, status = "success") =>
  (answer = { status: 200, text: JSON.stringify({ status, data }) });
const LISTED = [
  { email: " Ada@Example.com", fullName: "Ada  Lovelace", role: "superadmin", password: "x" },
  { email: "ada@example.com", fullName: "Ada again" },
  { email: "grace@example.com", fullName: null, id: 7 },
  { email: "known@example.com", fullName: "Another name", role: "superadmin" },
  { email: "nobody", fullName: "Nobody" },
];

describe("the account source of an endpoint", () => {
  const list = () => new EndpointAccountSource(url).list();

  it("lists its accounts unchanged, after a redirect", async () => {
    setAnswer(LISTED.slice(2, 3));
    expect(await list()).toEqual([{ email: "grace@example.com", fullName: "", role: "" }]);
  });

  it.each([
    ["says error", 200, '{"status":"error","message":"no sheet"}', "200 no sheet"],
    ["fails", 500, "boom", "500 Network response was not ok. boom"],
    ["is a page", 200, "<html>", "the reply is not JSON"],
    // R47
    ["is in Latin-1", 200, Buffer.from('{"status":"success","data":"J\xfcrgen"}', "latin1"), "not in UTF-8"],
    ["lists something else", 200, '{"status":"success","data":[{}]}', "not as documented: data.0.email"],
  ])("throws an error with the reply when it %s", async (_what, status, text, expected) => {
    answer = { status, text };
    const failing = list();
    await expect(failing).rejects.toThrow(UpstreamError);
    await expect(failing).rejects.toThrow(expected);
  });
});

/** Keeps no password. */
const forget = () => () => undefined;

describeOnDatabases("an import of accounts on %s", ({ database, place, dialect }) => {
  // R48
  it("adds addresses at a domain outside ASCII only", async () => {
    setAnswer(
      ["ada@müller.example", "ada@xn--mller-kva.example", "adá@example.com"].map((email) => ({ email })),
    );
    const deps = { database, hasher, clock: () => 1, newId };
    const counts = { added: 1, known: 0, twice: 1, unusable: 1, demoted: 0 };
    expect(await importAccounts(deps, new EndpointAccountSource(url), forget)).toEqual(counts);
    expect((await accounts()).map(({ email }) => email)).toEqual(["ada@xn--mller-kva.example"]);
  });

  const accounts = () => database.read.selectFrom("accounts").selectAll().orderBy("email").execute();
  it("creates unknown accounts and leaves known ones unchanged", async () => {
    setAnswer(LISTED);
    await insertAccount(database, { email: "known@example.com" });
    const deps = { database, hasher, clock: () => 1, newId };
    const source = new EndpointAccountSource(url);
    const counts = { added: 2, known: 1, twice: 1, unusable: 1, demoted: 1 };
    expect(await importAccounts(deps, source)).toEqual(counts);
    expect(await accounts()).toHaveLength(1);
    const issued: { email: string; temporaryPassword: string }[] = [];
    const keep = (one: (typeof issued)[number]) => {
      issued.push(one);
      return () => expect.unreachable();
    };
    expect(await importAccounts(deps, source, keep)).toEqual(counts);
    const made = { role: "admin", password_is_temporary: 1 };
    expect(await accounts()).toMatchObject([
      { ...made, email: "ada@example.com", full_name: "Ada Lovelace" },
      { ...made, email: "grace@example.com", full_name: "grace@example.com" },
      { email: "known@example.com", full_name: "known@example.com", role: "admin", password_is_temporary: 0 },
    ]);
    const { password_hash } = (await findAccount(database, "ada@example.com"))!;
    expect(issued.map(({ email }) => email)).toEqual(["ada@example.com", "grace@example.com"]);
    const password = issued[0]?.temporaryPassword ?? "";
    expect(await hasher.verify(password_hash, password, "203.0.113.9")).toBe("match");
    expect(await readAudit(database)).toMatchObject([
      { actor: "system", action: "add-account", subject: "ada@example.com" },
      { actor: "system", action: "add-account", subject: "grace@example.com" },
    ]);
    expect(await importAccounts(deps, source, forget)).toMatchObject({ added: 0, known: 3 });
  });

  it("hands out no password for an account that a colleague adds meanwhile", async () => {
    setAnswer(LISTED);
    const slowHasher: PasswordHasher = {
      hash: async (password) => {
        if (!(await findAccount(database, "ada@example.com")))
          await insertAccount(database, { email: "ada@example.com" });
        return hasher.hash(password);
      },
      verify: (...password) => hasher.verify(...password),
    };
    const deps = { database, hasher: slowHasher, clock: () => 1, newId };
    const kept: string[] = [];
    const keep = ({ email }: { email: string }) => {
      kept.push(email);
      return () => void kept.splice(kept.indexOf(email), 1);
    };
    const counts = { added: 2, known: 1, twice: 1, unusable: 1, demoted: 1 };
    expect(await importAccounts(deps, new EndpointAccountSource(url), keep)).toEqual(counts);
    expect(kept).toEqual(["grace@example.com", "known@example.com"]);
    expect((await readAudit(database)).map(({ subject }) => subject)).toEqual(kept);
  });

  // The command opens whichever database DATABASE_URL names, as every other one does.
  if (dialect === "sqlite") {
    it("runs as a command that stores passwords in a file only its owner can read", async () => {
      setAnswer(LISTED);
      const { DATA_DIR: dataDir } = place.environment;
      const environment = { ...place.environment, ACCOUNT_ENDPOINT_URL: url };
      const run = (...more: string[]) => runNode(["scripts/accounts.ts", "import", ...more], environment);
      const files = () => readdirSync(dataDir).filter((name) => name.startsWith("temporary-passwords"));
      expect((await run("--dry-run")).stdout).toContain("3 accounts would be created.");
      expect([files(), await accounts()]).toEqual([[], []]);
      const { stdout } = await run();
      expect(stdout).toContain("3 accounts were created. 0 already exist and stay as they are.");
      const [file = ""] = files();
      expect(stdout).toContain(join(dataDir, file));
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
      const [header, ada = ""] = readFileSync(join(dataDir, file), "utf8").split("\r\n");
      expect(header).toBe('"email","full name","temporary password"');
      const password = /^"ada@example\.com","Ada Lovelace","(\w{8}A1!)"$/.exec(ada)?.[1] ?? "missing";
      expect(stdout).not.toContain(password);
      const usage = expect.stringContaining("Usage: npm run accounts -- import [--dry-run]");
      expect(await run("--now")).toMatchObject({ code: 1, output: usage });
      answer = { status: 404, text: "gone" };
      const gone = expect.stringContaining("The accounts could not be read: 404 gone. Nothing was imported.");
      expect(await run()).toMatchObject({ code: 1, output: gone });
    });

    it("runs as a command that stores no password of an account that a colleague adds meanwhile", async () => {
      const { DATA_DIR: dataDir } = place.environment;
      const environment = { ...place.environment, ACCOUNT_ENDPOINT_URL: url };
      const run = () => runNode(["scripts/accounts.ts", "import"], environment);
      const files = () => readdirSync(dataDir).filter((name) => name.startsWith("temporary-passwords"));
      const addMeanwhile = (email: string) => {
        answer.meanwhile = () => insertAccount(database, { email });
      };
      setAnswer(LISTED.slice(0, 1));
      addMeanwhile("ada@example.com");
      const { stdout } = await run();
      expect(stdout).toContain("0 accounts were created. 1 already exist and stay as they are.");
      expect(stdout).not.toContain("temporary passwords");
      expect(files()).toEqual([]);
      setAnswer(["mary", "grace", "alan"].map((name) => ({ email: `${name}@example.com` })));
      addMeanwhile("grace@example.com");
      expect((await run()).stdout).toContain("2 accounts were created. 1 already exist");
      const text = readFileSync(join(dataDir, files()[0] ?? ""), "utf8");
      const row = (name: string) => `"${name}@example.com","${name}@example.com","\\w{8}A1!"\r\n`;
      expect(text).toMatch(
        new RegExp(`^"email","full name","temporary password"\r\n${row("mary")}${row("alan")}$`),
      );
    });
  }
});
