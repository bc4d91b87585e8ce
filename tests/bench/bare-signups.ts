import SqliteFile from "better-sqlite3";
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { v7 } from "uuid";
import { listen } from "../fakes/listen.ts";
import { serveCalls } from "./helper-process.ts";

/**
 * Stores signups with node:http and better-sqlite3 alone: the same rows in the product's own schema as safely, those
 * that arrive together in one synced commit. It checks, limits and logs nothing.
 */
export async function serveSignups(dataDir: string) {
  const file = new SqliteFile(join(dataDir, "frontdesk.db"));
  for (const setting of ["synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"])
    file.pragma(setting);
  const store = prepareStore(file);
  let waiting: { form: URLSearchParams; address: string; response: ServerResponse }[] = [];
  const commitAll = () => {
    const group = waiting;
    waiting = [];
    file.transaction(() => group.forEach(({ form, address }) => store(form, address)))();
    for (const { response } of group) {
      response.writeHead(303, { Location: "/early-access?notice=registered" });
      response.end();
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const address = String(request.headers["x-forwarded-for"]);
      if (waiting.push({ form, address, response }) === 1) setImmediate(commitAll);
    });
  });
  return { port: await listen(server) };
}

serveCalls(serveSignups);

function prepareStore(file: SqliteFile.Database) {
  const fingerprint = file.prepare("insert into submission_fingerprints values (?, ?, ?)");
  const attempt = file.prepare(
    "insert into attempts (key, count, resets_at) values (?, 1, ?) on conflict (key) do update set count = count + 1",
  );
  const count = file
    .prepare(
      `insert into submission_counts values ('early-access', 'accepted', 1, 1)
       on conflict do update set count = count + 1, audience_position = audience_position + 1
       returning audience_position`,
    )
    .pluck();
  const submission = file.prepare(
    `insert into submissions (id, kind, state, quarantine_reason, name, email, email_key, company, role, inquiry_type,
       message, created_at, audience_position, source, notify)
     values (?, 'early-access', 'accepted', '', ?, ?, ?, ?, ?, '', '', ?, ?, 'direct', 1)`,
  );
  const person = file.prepare(
    `insert into people (id, email_key, email, email_domain, name, company, role, first_signup_at, forms, source)
     values (?, ?, ?, ?, ?, ?, ?, ?, 1, 'direct')
     on conflict (email_key) do update set email = excluded.email, name = excluded.name`,
  );
  const consent = file.prepare("insert into consents values (?, ?, 'early-access', ?, '1', ?, ?)");
  const documents = ["submission_documents", "people_documents"].map((table) =>
    file.prepare(
      `insert into ${table} values (
        (select coalesce(max(n) + 1, cast(@now as integer) << 15) from ${table}
         where n >= cast(@now as integer) << 15),
        @id, @words
      )`,
    ),
  );
  const day = file.prepare(
    "insert into submission_days values ('early-access', ?, 1) on conflict do update set count = count + 1",
  );
  const wording = "By signing up you agree that we keep these details and write to you about early access.";
  return (form: URLSearchParams, address: string) => {
    const [name, email, company, role] = ["name", "email", "company", "role"].map((field) => form.get(field));
    const id = v7();
    const now = Date.now();
    const key = email?.toLowerCase() ?? "";
    const content = JSON.stringify([name, key, company, role]);
    fingerprint.run(createHash("sha256").update(content).digest("hex"), id, now);
    attempt.run(`form:${address}`, now + 60_000);
    attempt.run(`form-to:${key}`, now + 3_600_000);
    submission.run(id, name, email, key, company, role, now, count.get());
    person.run(id, key, email, key.slice(key.lastIndexOf("@") + 1), name, company, role, now);
    consent.run(id, key, wording, address.replace(/\d+$/, "0"), now);
    const words = `  ${name?.toLowerCase()}  \u0001  ${key}  ${company?.toLowerCase()}`;
    for (const document of documents) document.run({ now, id, words });
    day.run(now - (now % 86_400_000));
  };
}
