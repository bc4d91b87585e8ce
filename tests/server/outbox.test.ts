import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FRAMED_EMAIL } from "../../server/fixtures/expected-headers";
import { becomeAdmin, getRedirect } from "./operators";
import { execute, readRows, signUp } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const LINK =
  "https://frontdesk.example/unsubscribe/a1.very-long-token_that-quoted-printable-folds.0123456789";
const ID = "0123456789abcdef";
const SOURCE = [
  "From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.com>",
  "Subject: =?utf-8?B?R3LDvMOfZQ==?=",
  `List-Unsubscribe: <${LINK}>`,
  "Comments: a long header goes on",
  " in a line of its own",
  'Content-Type: multipart/alternative; boundary="x"',
  "",
  "--x",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  `Gr=C3=BC=C3=9Fe: ${LINK.slice(0, 40)}=`,
  LINK.slice(40),
  "(see https://example.com/why).",
  "--x",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: base64",
  "",
  Buffer.from(`<!doctype html><p>Grüße</p><script>top.x=1</script><a href="${LINK}">Leave</a>`).toString(
    "base64",
  ),
  "--x--",
  "",
].join("\r\n");

const server = useServer();
const superadmin = useSuperadmin(server);
const { get, read } = superadmin;
beforeAll(() => {
  mkdirSync(join(server.dataDir, "outbox", "2026-01-02"), { recursive: true });
  writeFileSync(join(server.dataDir, "outbox", "2026-01-02", "one.eml"), SOURCE);
  execute(
    server,
    `insert into outbox_emails (id, message_id, to_address, subject, file, created_at)
      values ('${ID}', '<one@frontdesk.test>', 'ada@example.com', 'Grüße', '2026-01-02/one.eml', 1)`,
  );
});

const main = async (search = "") => {
  const html = await read(`/admin/outbox/${ID}${search}`);
  return html.slice(html.indexOf("<main"), html.indexOf("</main>"));
};

describe("with another driver than the outbox", () => {
  const other = useServer({
    MAIL_DRIVER: "smtp",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "desk@example.com",
  });
  const operator = useSuperadmin(other);

  it("a person's emails that were kept before are shown, and an erasure takes them", async () => {
    const file = join(other.dataDir, "outbox", "one.eml");
    mkdirSync(join(other.dataDir, "outbox"));
    writeFileSync(file, SOURCE);
    await signUp(other, { email: "ada@example.com" });
    execute(
      other,
      `insert into outbox_emails (id, message_id, to_address, subject, file, created_at)
        values ('${ID}', '<one@frontdesk.test>', 'ada@example.com', 'Grüße', 'one.eml', 1)`,
    );
    const [person] = readRows(other, "select id from people");
    const list = await operator.read("/admin/outbox");
    expect(list).toContain("These were stored here before.");
    expect(list).toContain(`/admin/outbox/${ID}`);
    expect(await operator.read(`/admin/outbox/${ID}`)).toContain("Grüße");
    await operator.post(`/admin/people/${person?.id}`, { intent: "erase" });
    expect(readRows(other, "select id from outbox_emails")).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });
});

describe("an email of the outbox", () => {
  // C24
  it("shows its links that give access to its recipient and superadmins only", async () => {
    const [recipient, colleague] = [
      await becomeAdmin(server, superadmin.cookie, "ada@example.com"),
      await becomeAdmin(server, superadmin.cookie, "colleague@example.com"),
    ];
    const views = ["", "?view=text", "?view=headers", "?view=source", "/body", "/file"];
    const token = LINK.slice(-20);
    for (const view of views) {
      const path = `/admin/outbox/${ID}${view}`;
      expect(await (await colleague.get(path)).text()).not.toContain(token);
      const html = await (await recipient.get(path)).text();
      if (view !== "/body") expect(html).toContain(token);
    }
    const page = await colleague.read(`/admin/outbox/${ID}?view=text`);
    expect(page).toContain("Links in this email that give access are hidden.");
    expect(page).toContain("/unsubscribe/***");
    expect(page).toContain('href="https://example.com/why"');
    expect(await colleague.read(`/admin/outbox/${ID}?view=headers`)).toContain(
      "goes on in a line of its own",
    );
    const file = await colleague.get(`/admin/outbox/${ID}/file`);
    expect(getRedirect(file)).toEqual([303, `/admin/outbox/${ID}`]);
  });

  it("is shown in a frame, with tabs for its parts and with its links", async () => {
    const html = await main();
    expect(html).toMatch(/<h1[^>]*><bdi>Grüße<\/bdi><\/h1>/);
    expect(html).toMatch(new RegExp(`<iframe[^>]*src="/admin/outbox/${ID}/body"[^>]*sandbox=""`));
    expect(html).toContain(`href="${LINK}"`);
    expect(html).toContain('href="https://example.com/why"');
    for (const view of ["text", "headers", "source"]) expect(html).toContain(`?view=${view}"`);
  });

  it("marks only the tab of the open part as current", async () => {
    const current = (await main("?view=text")).match(/<a[^>]*aria-current="page"[^>]*>/g);
    expect(current).toEqual([expect.stringContaining("?view=text")]);
  });

  it("is shown decoded, and its source unchanged", async () => {
    expect(await main("?view=text")).toContain(`Grüße: ${LINK}`);
    expect(await main("?view=headers")).toContain("List-Unsubscribe: &lt;");
    expect(await main("?view=headers")).not.toContain("--x");
    expect(await main("?view=source")).toContain("=?utf-8?B?R3LDvMOfZQ==?=");
  });

  // C17
  it("runs, loads and submits nothing", async () => {
    const answer = await get(`/admin/outbox/${ID}/body`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject(FRAMED_EMAIL);
  });

  it("can be downloaded unchanged", async () => {
    const answer = await get(`/admin/outbox/${ID}/file`);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="${ID}.eml"`);
    expect(answer.headers.get("Content-Type")).toBe("message/rfc822");
    expect(await answer.text()).toBe(SOURCE);
  });

  it("has a name without a subject, on its page and in the search", async () => {
    execute(
      server,
      `insert into outbox_emails (id, message_id, to_address, subject, file, created_at)
        values ('${ID.replace("0", "f")}', '<two@frontdesk.test>', 'bo@example.com', '', '2026-01-02/two.eml', 2)`,
    );
    writeFileSync(
      join(server.dataDir, "outbox", "2026-01-02", "two.eml"),
      SOURCE.replace(/Subject: .*/, "Subject:"),
    );
    const page = await read(`/admin/outbox/${ID.replace("0", "f")}`);
    expect(page).toMatch(/<title>An email without a subject · /);
    expect(await read("/admin/search?q=bo@example.com")).toContain("An email without a subject");
  });

  it("that does not exist redirects to the list", async () => {
    for (const part of ["", "/body", "/file"]) {
      expect(getRedirect(await get(`/admin/outbox/x${part}`))).toEqual([303, "/admin/outbox"]);
    }
  });
});
