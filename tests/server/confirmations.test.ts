import { describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { createConfirmationTokens } from "~/services/confirmations/confirmation-request.server";
import { startSmtpServer } from "../fakes/smtp-server";
import { formPost } from "../server-process";
import { waitUntil } from "../wait-until";
import { getRedirect } from "./operators";
import { dumpDatabase, execute, readFormSecret, readRows, submit } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { useFixture } from "../fixture";

const smtp = useFixture(() => startSmtpServer());
const server = useServer(() => ({ ...smtp.environment, LOG_LEVEL: "debug", DOUBLE_OPT_IN: "on" }));
const superadmin = useSuperadmin(server);
const tokens: string[] = [];

async function signUp(email: string): Promise<void> {
  const answer = await submit(server, "/updates", { name: "Mallory Made This Up", email });
  expect(getRedirect(answer)).toEqual([303, "/updates?notice=registered"]);
}

/** Waits for `count` emails to an address and returns the token of the last one's link. */
async function getToken(email: string, count = 1): Promise<string> {
  const list = () => smtp.emails.filter((message) => message.to.includes(email));
  await waitUntil(() => list().length >= count);
  const parsed = await list().at(-1)!.parse();
  const links = [...String(parsed.text).matchAll(/https?:\/\/\S+/g)].map(([link]) => link);
  expect(links).toHaveLength(1);
  expect(links[0]).toMatch(new RegExp(`^${server.origin}/updates/confirm/[\\w.-]+$`));
  const token = links[0]!.split("/").at(-1)!;
  tokens.push(token);
  return token;
}

const getStates = (email: string) =>
  readRows(server, "select state from submissions where email_key = ?", email).map((row) => row.state);

/** Makes the link of the same request as if its email had been sent two days earlier, with the server's own secret. */
async function createExpiredToken(token: string): Promise<string> {
  const confirmationTokens = createConfirmationTokens(await readFormSecret(server));
  const request = confirmationTokens.readToken(token)!;
  const old = confirmationTokens.createToken({ ...request, requested_at: request.requested_at - hours(48) });
  tokens.push(old);
  return old;
}

describe("the confirmation of a signup for updates", () => {
  it("takes the button behind the link of an email without the name, and happens once", async () => {
    await signUp("ada@example.com");
    const token = await getToken("ada@example.com");
    const email = await smtp.emails[0]!.parse();
    expect(JSON.stringify(email)).not.toContain("Mallory");
    expect(email.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
    await waitUntil(() => readRows(server, "select state from transactional_emails")[0]?.state === "sent");

    const listed = () => superadmin.read("/admin/submissions/unconfirmed");
    expect(await listed()).toContain("ada@example.com");
    expect(await superadmin.read("/admin/submissions/updates-signup")).toContain(
      'href="/admin/submissions/unconfirmed"',
    );

    const [{ id } = {}] = readRows(server, "select id from submissions where email_key = 'ada@example.com'");
    const older = await superadmin.read(`/admin/submissions/unconfirmed?sort=received&before=${String(id)}`);
    expect(older).toContain("No more results.");
    expect(older).toContain('href="/admin/submissions/unconfirmed?sort=received"');

    const page = `/updates/confirm/${token}`;
    const before = dumpDatabase(server);
    for (const method of ["GET", "HEAD"]) {
      for (const path of [page, `${page}.data`])
        expect((await server.fetch(path, { method })).status).toBe(200);
    }
    const question = await readText(server.fetch(page));
    expect(question).toContain("<h1");
    expect(question).toContain(">Confirm</button>");
    expect(dumpDatabase(server)).toBe(before);
    expect(getStates("ada@example.com")).toEqual(["unconfirmed"]);

    const confirmed = await server.fetch(page, formPost({ intent: "confirm" }));
    expect(getRedirect(confirmed)).toEqual([303, `${page}?notice=confirmed`]);
    expect(getStates("ada@example.com")).toEqual(["accepted"]);
    expect(await listed()).not.toContain("ada@example.com");
    expect(await readText(server.fetch(`${page}?notice=confirmed`))).toContain("Thank you.");
    const again = await server.fetch(page, formPost({ intent: "confirm" }));
    expect(getRedirect(again)).toEqual([303, page]);
    expect(await readText(server.fetch(page))).toContain("You have already confirmed");
  });

  it("refuses an expired link, which can be renewed once an hour", async () => {
    await signUp("grace@example.com");
    const page = `/updates/confirm/${await createExpiredToken(await getToken("grace@example.com"))}`;
    await waitUntil(
      () => readRows(server, "select * from transactional_emails where state = 'sent'").length === 2,
    );
    expect((await server.fetch(page, formPost({ intent: "confirm" }))).headers.get("Location")).toBe(page);
    expect(getStates("grace@example.com")).toEqual(["unconfirmed"]);
    const offer = await readText(server.fetch(page));
    expect(offer).toContain("This link has expired");
    expect(offer).toContain(">Send a new link</button>");

    const early = await server.fetch(page, formPost({ intent: "new-link" }));
    expect(early.status).toBe(429);
    expect(Number(early.headers.get("Retry-After"))).toBeGreaterThan(3500);
    expect(await early.text()).toMatch(/less than an hour ago.*try again in 60 minutes/);

    const backdate = "update transactional_emails set updated_at = updated_at - ? where email_key = ?";
    execute(server, backdate, hours(1), "grace@example.com");
    const renewal = await server.fetch(page, formPost({ intent: "new-link" }));
    expect(getRedirect(renewal)).toEqual([303, `${page}?notice=link-sent`]);
    const sent = await readText(server.fetch(`${page}?notice=link-sent`));
    expect(sent).toContain("A new link is on its way");
    expect(sent).toContain("<title>Check your inbox");
    const fresh = await getToken("grace@example.com", 2);
    await server.fetch(`/updates/confirm/${fresh}`, formPost({ intent: "confirm" }));
    expect(getStates("grace@example.com")).toEqual(["accepted"]);
  });

  it("says that a new link is on its way, though the new request has made the old link unknown", async () => {
    const address = "unsubscribed@example.com";
    await signUp(address);
    const page = `/updates/confirm/${await createExpiredToken(await getToken(address))}`;
    await superadmin.post("/admin/suppressions/add", { intent: "one", address, note: "" });
    execute(
      server,
      "update suppressions set reason = 'unsubscribed', opted_out = 1 where email_key = ?",
      address,
    );
    execute(server, "delete from transactional_emails where email_key = ?", address);
    const renewal = getRedirect(await server.fetch(page, formPost({ intent: "new-link" })));
    expect(renewal).toEqual([303, `${page}?notice=link-sent`]);
    expect(await readText(server.fetch(`${page}?notice=link-sent`))).toContain("A new link is on its way");
    expect((await server.fetch(page)).status).toBe(404);
    await getToken(address, 2);
  });

  it("is awaited by a signup released from quarantine, as the question and the notice say", async () => {
    const bot = { stamp: "", website: "https://spam.example" };
    const path = "/admin/quarantine";
    const post = async (fields: Record<string, string>) =>
      getRedirect(await superadmin.post(path, { intent: "release", ...fields }))[1];
    await submit(server, "/updates", { email: "held@example.com", ...bot });
    await submit(server, "/early-access", { email: "early@example.com", ...bot });
    const [early, held] = ["early@example.com", "held@example.com"].map((email) =>
      String(readRows(server, "select id from submissions where email_key = ?", email)[0]?.id),
    ) as [string, string];

    const ask = (search: string) => superadmin.read(`${path}?step=release&${search}`);
    const all = await ask(`through=${early}`);
    expect(all).toContain("Signups that need a confirmation will wait for it, under Unconfirmed");
    expect(await ask(`id=${early}`)).not.toContain("Unconfirmed, and");
    expect(await post({ through: early })).toBe(`${path}?count=1&notice=released-unconfirmed`);
    expect(getStates("held@example.com")).toEqual(["unconfirmed"]);
    expect(getStates("early@example.com")).toEqual(["accepted"]);
    expect(await superadmin.read(`${path}?count=1&notice=released-unconfirmed`)).toContain(
      "Released. 1 signup waits for its confirmation, under Unconfirmed.",
    );
    expect(await post({ id: held })).toBe(`${path}?notice=already-settled`);
    await submit(server, "/early-access", { email: "late@example.com", ...bot });
    expect(await post({ through: "ffffffff-ffff-7fff-bfff-ffffffffffff" })).toBe(
      `${path}?count=1&notice=released`,
    );
    await getToken("held@example.com");
  });

  it.each(["x", "%00", "a.b.c", "0192f3a4-5b6c-7d8e-9f00-112233445566_abc.AAAAAAAAAAAAAAAAAAAAAA"])(
    "responds 404 to a link that is not ours, %s",
    async (token) => {
      for (const init of [{}, formPost({ intent: "confirm" }), formPost({ intent: "new-link" })]) {
        const answer = await server.fetch(`/updates/confirm/${token}`, init);
        if (token === "%00") expect(answer.status).toBe(400);
        else expect(await readText(answer, 404)).toContain("This link is incomplete or no longer valid.");
      }
    },
  );

  // C24
  it("leaves no link in the log, not even a mistyped one", async () => {
    const [token = ""] = tokens;
    for (const path of [
      `/updates//confirm/${token}`,
      `/UPDATES/confirm/${token}/x`,
      `/updates/confirm/${token}%zz`,
    ]) {
      await server.fetch(path);
    }
    await waitUntil(() => server.output().includes('"path":"/updates/confirm/:token"'));
    const log = server.output().toLowerCase();
    expect(tokens).toHaveLength(8);
    expect(tokens.filter((one) => log.includes(one.toLowerCase()))).toEqual([]);
    expect(log).not.toContain("ada@example.com");
  });
});
