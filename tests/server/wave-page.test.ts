import { beforeAll, describe, expect, it } from "vitest";
import { audienceMessages } from "~/content/audiences";
import { waveFunnelMessages as copy } from "~/content/wave-funnel";
import { bearer, makeToken } from "./made-tokens";
import { useOutreachScreens } from "./outreach-screens";
import { readText } from "./session";
import { useServer } from "./use-server";
import { execute, readRows } from "./visitors";

const screens = useOutreachScreens(useServer({ INVITE_URL: "https://app.example.com/join?code={code}" }));
const { server } = screens;
const ADDRESSES = Array.from({ length: 14 }, (_, n) => `person${n}@example.com`);
/** Id of the wave; its page. */
let wave: string;
let page: string;

/** Returns the text of a page, without its tags. */
const readWords = async (path: string) =>
  (await screens.read(path)).replaceAll(/<script.*?<\/script>|<[^>]*>/gs, " ").replaceAll(/\s+/g, " ");
const update = (changes: string, ...addresses: string[]) =>
  execute(
    server,
    `update wave_invitations set ${changes} where person_id in
      (select id from people where email_key in (${addresses.map(() => "?").join(", ")}))`,
    ...addresses,
  );

beforeAll(async () => {
  for (const email of ADDRESSES) await screens.signUp(email);
  // 12 sources, the first of three people.
  for (const [n, email] of ADDRESSES.entries()) {
    const source = n < 3 ? "fair" : `site${n}.example`;
    execute(server, "update people set source = ? where email_key = ?", source, email);
  }
  wave = await screens.createDraft({ message: "Come in: {{invite_link}}" });
  page = `/admin/outreach/${wave}`;
  await screens.confirm(wave);
  await screens.waitForState(wave, "finished");
  update("state = 'joined'", "person0@example.com");
  update("state = 'undeliverable'", "person1@example.com");
  execute(server, "update people set confirmed_at = 5 where email_key = 'person0@example.com'");
});

describe("the page of a wave", () => {
  it("shows how far its people came, as a chart and by source", async () => {
    const words = await readWords(page);
    expect(words).toContain("People 14 Confirmed 7.1% of people 1 Invited 92.9% of people 13");
    expect(words).toContain("Joined 7.7% of invited 1");
    expect(words).toContain("Invited 12 Joined 1 7.7% of invited Undeliverable 1 7.1% of emails");
    expect(words).toContain("fair People 3 Confirmed 1 33.3% Invited 2 66.7% Joined 1 50.0%");
    expect(words).toContain("2 more sources with fewer people are not shown.");
    expect(words).toContain("invited are those whose email did not come back");
    expect(words).not.toContain(copy.later);
  });

  it("leads to a person, with no time for an invitation that came back", async () => {
    const [person] = readRows(server, "select id from people where email_key = 'person1@example.com'");
    const words = await readWords(`/admin/people/${String(person?.id)}`);
    expect(words).toMatch(/Undeliverable The email came back\. Invited in Wave 1 \./);
  });

  it("leads to a person who joined before the result of the email was known", async () => {
    const [person] = readRows(server, "select id from people where email_key = 'person0@example.com'");
    update("joined_at = 1, invited_at = null", "person0@example.com");
    expect(await readWords(`/admin/people/${String(person?.id)}`)).toMatch(
      / Joined [^.]*\. Invited in Wave 1 \./,
    );
  });

  it("leads to the people of a source, as many as it says", async () => {
    const link = `/admin/people?campaign=${wave}&got=invitation&source=fair`;
    expect(await screens.read(page)).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
    expect(await readWords(link)).toContain("3 people match.");
  });

  it("leads to the people of each figure, not to those whom another wave invites", async () => {
    const of = (invitation: string) =>
      readWords(`/admin/people?campaign=${wave}&got=invitation&invitation=${invitation}`);
    update("campaign_id = null", "person5@example.com");
    expect(await of("invited")).toContain("11 people match.");
    update(`campaign_id = '${wave}', state = 'reserved'`, "person5@example.com");
    expect(await of("waiting")).toContain("1 person matches.");
    update("state = 'invited'", "person5@example.com");
    expect(await of("invited")).toContain("12 people match.");
    expect(await of("joined")).toContain("1 person matches.");
  });

  it("has no funnel while it is refreshed each second, and says so", async () => {
    execute(server, "update campaigns set state = 'sending', hold = 'server' where id = ?", wave);
    const words = await readWords(page);
    expect(words).toContain(copy.later);
    expect(words).not.toContain(copy.title);
    execute(server, "update campaigns set state = 'finished', hold = '' where id = ?", wave);
  });

  it("of a campaign that invites nobody has none of this", async () => {
    const campaign = await screens.createDraft({ limit: "1" });
    await screens.confirm(campaign);
    await screens.waitForState(campaign, "finished");
    expect(await readWords(`/admin/outreach/${campaign}`)).not.toContain(copy.title);
  });
});

describe("who asked for a new link", () => {
  const link = () => `/admin/people?campaign=${wave}&got=invitation&invitation=asked`;

  it("is counted on the page of the wave, and listed", async () => {
    expect(await readWords(page)).not.toContain("Asked for a new link");
    expect(await readWords(link())).toContain("0 people match.");
    update("asked_at = 5", "person0@example.com", "person2@example.com", "person3@example.com");
    expect(await readWords(page)).toContain("Asked for a new link 2");
    expect(await screens.read(page)).toContain(`href="${link().replaceAll("&", "&amp;")}"`);
    const words = await readWords(link());
    expect(words).toContain("2 people match.");
    expect(words).toContain("person3@example.com");
    expect(words).not.toContain("person0@example.com");
    expect(words).toContain(audienceMessages.cannotWrite.asked);
    expect(await screens.read(link())).toContain('<option value="asked" selected="">Asked for a new link');
    const file = await readText(screens.post("/admin/people/export?invitation=asked"));
    expect(file.trim().split("\r\n")).toHaveLength(3);
  });

  it("is no audience", async () => {
    const answer = await screens.press("save", { invitation: "asked" });
    expect(answer.status).toBe(422);
  });

  it("is found by a program", async () => {
    const token = await makeToken(server, screens.superadmin.cookie, { scopes: ["people:read"] });
    const answer = await server.fetch("/api/people?invitation=asked", { headers: bearer(token) });
    const { data } = (await answer.json()) as { data: { email: string; invitation: string }[] };
    expect(data.map(({ email, invitation }) => [email, invitation])).toEqual([
      ["person2@example.com", "invited"],
      ["person3@example.com", "invited"],
    ]);
  });

  it("is no filter that leaves out what it says", async () => {
    const token = await makeToken(server, screens.superadmin.cookie, { scopes: ["people:read"] });
    const ask = (query: string) => server.fetch(`/api/people?${query}`, { headers: bearer(token) });
    for (const query of ["got=failed", "domain=%40", "source=%00"])
      expect((await ask(query)).status).toBe(422);
    const { data } = (await (await ask("source=FAIR")).json()) as { data: unknown[] };
    expect(data).toHaveLength(3);
  });
});
