import { beforeAll, describe, expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { ask } from "../../server/fixtures/raw-http";
import { addUser, getAccountId } from "./operators";
import { builtRoutes } from "./route-manifest";
import { dumpDatabase, FORM_PATHS, readRows, signUp } from "./visitors";
import { useOutreachScreens } from "./outreach-screens";

const ALLOWED = "GET, HEAD, POST, OPTIONS";
const FILES = ["/robots.txt", "/favicon.svg", "/static/assets/missing.js", "/api/x"];

const screens = useOutreachScreens();
const { server, superadmin, createDraft } = screens;
/** Every address, with real ids. */
const places: string[] = [];

beforeAll(async () => {
  await screens.signUp("ada@example.com");
  const { draft, campaign, email } = await createDraftAndCampaign();
  const scheduled = await createScheduled();
  const token = await unsubscribeToken(email);
  await addUser(server, superadmin.cookie, "grace@example.com");
  const user = getAccountId(server, "grace@example.com");
  const [accepted, bot, suppressed] = await createListed();
  const routes = new Set(builtRoutes().map((route) => route.path));
  places.push(
    ...Array.from(routes).flatMap((path) => [path, path === "/" ? "/_root.data" : `${path}.data`]),
    `/admin/outreach/${campaign}`,
    ...["edit", "cancel", "begin", "reschedule"].map((step) => `/admin/outreach/${scheduled}?step=${step}`),
    `/admin/outbox/${email}`,
    `/admin/outbox/${email}/body`,
    `/admin/outbox/${email}/file`,
    `/admin/outbox/${email}?view=source`,
    `/admin/dashboard?draft=${draft}&panel=preview`,
    `/admin/dashboard?draft=${draft}&step=confirm`,
    `/admin/dashboard?send=${campaign}`,
    "/early-access?notice=registered",
    "/login?notice=signed-in",
    ...FORM_PATHS,
    "/contact?notice=registered",
    "/updates.data",
    `/admin/users?step=remove&account=${user}`,
    `/admin/users?step=reissue&account=${user}`,
    `/admin/submissions/early-access?step=delete&id=${accepted}`,
    "/admin/submissions/early-access?step=delete&through=1",
    "/admin/submissions/early-access?q=ada&sort=name",
    "/admin/submissions/early-access/export?q=ada",
    "/admin/quarantine?form=contact-form&reason=too-fast",
    `/admin/quarantine?step=release&id=${bot}`,
    `/admin/quarantine?step=release&through=${bot}`,
    `/admin/quarantine?step=release&through=${bot}&form=early-access&reason=honeypot`,
    `/admin/quarantine?step=purge&id=${bot}`,
    `/admin/quarantine?step=purge&through=${bot}`,
    `/admin/quarantine?step=purge&through=${bot}&form=early-access&reason=honeypot`,
    `/admin/suppressions?step=release&id=${suppressed}`,
    "/admin/suppressions/export?reason=unsubscribed",
    `/unsubscribe/${token}`,
    ...FILES,
  );
});

// C8
describe("safe methods", () => {
  /** The answers to GET and HEAD. */
  const answers: { place: string; got: string; head: string; body: string }[] = [];

  it("GET and HEAD of every page and its data leave the database unchanged", async () => {
    const before = dumpDatabase(server);
    expect(before).toContain("ada@example.com");
    for (const place of places) {
      const got = await superadmin.get(place);
      const head = await server.fetch(place, { method: "HEAD", headers: superadmin.headers });
      expect([place, got.status < 500]).toEqual([place, true]);
      const html = await got.text();
      if (place.includes("step=")) expect(html).toContain("<dialog");
      answers.push({ place, got: outline(got), head: outline(head), body: await head.text() });
    }
    expect(dumpDatabase(server)).toBe(before);
    expect((await superadmin.get("/admin/dashboard")).status).toBe(200);
  });

  it("HEAD has the headers of GET, without a body", () => {
    expect(answers.length).toBe(places.length);
    expect(answers).toEqual(answers.map(({ place, got }) => ({ place, got, head: got, body: "" })));
  });

  it("OPTIONS lists the methods, and no other method changes anything", async () => {
    const before = dumpDatabase(server);
    for (const place of places) {
      const options = await ask(server.port, `OPTIONS ${place}`, superadmin.headers);
      expect([place, options.status, options.body]).toEqual([place, 204, ""]);
      for (const method of ["TRACE", "FOO", "PUT", "PATCH", "DELETE"]) {
        const answer = await ask(server.port, `${method} ${place}`, {
          ...superadmin.headers,
          "Sec-Fetch-Site": "same-origin",
        });
        // The API alone may come to know more methods than forms need.
        if (place.startsWith("/api/") && !["TRACE", "FOO"].includes(method)) {
          expect(answer.status).toBeLessThan(500);
        } else {
          expect([method, place, answer.status]).toEqual([method, place, 405]);
          if (!place.startsWith("/api/")) expect(answer.headers.allow).toBe(ALLOWED);
        }
        expect(answer.body).not.toContain(superadmin.cookie);
      }
    }
    expect(dumpDatabase(server)).toBe(before);
  });
});

const outline = ({ status, headers }: Response) =>
  [status, headers.get("Location"), headers.get("Content-Type")].join(" ");

/** Creates a draft, a finished campaign, and its email in the outbox. */
async function createDraftAndCampaign() {
  const campaign = await createDraft({ message: "Hello {{name}}" });
  await screens.confirm(campaign);
  await screens.waitForState(campaign, "finished");
  const [email] = readRows(server, "select id from outbox_emails");
  return { draft: await createDraft(), campaign, email: String(email?.id) };
}

/** Creates a campaign that begins in two hours. */
async function createScheduled(): Promise<string> {
  const id = await createDraft();
  const beginAt = new Date(Date.now() + hours(2)).toISOString().slice(0, 16);
  await screens.confirm(id, { beginAt, whenMissed: "wait" });
  await screens.waitForState(id, "sending");
  return id;
}

/** Creates a row of each list that asks about its selection. @returns the ids of a submission, a bot's, and an address. */
async function createListed() {
  await signUp(server, { stamp: "", website: "https://spam.example", email: "bot@example.com" });
  await superadmin.post("/admin/suppressions/add", { intent: "one", address: "angry@example.com" });
  const listed = readRows(
    server,
    `select id from submissions where email = 'ada@example.com'
    union all select id from submissions where email = 'bot@example.com'
    union all select id from suppressions where address = 'angry@example.com'`,
  );
  return listed.map(({ id }) => id);
}

async function unsubscribeToken(email: string): Promise<string> {
  const text = await superadmin.read(`/admin/outbox/${email}`);
  const token = /href="[^"]*\/unsubscribe\/([\w.-]+)"/.exec(text)?.[1];
  if (!token) throw new Error("The email has no link to unsubscribe");
  return token;
}
