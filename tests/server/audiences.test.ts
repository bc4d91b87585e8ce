import { describe, expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import { getConfirmFields } from "../question-fields";
import { getSearch, useOutreachScreens } from "./outreach-screens";
import { execute } from "./visitors";

const screens = useOutreachScreens();
const { server, superadmin, press, read, post, signUp, confirm, getCampaign } = screens;

const NARROWED = { role: "", company: "", domain: "narrow.example", limit: "", from: "2026-01-01" };

describe("a narrowed draft", () => {
  it("keeps what narrows it in the draft and in the form", async () => {
    await signUp("ada@narrow.example");
    const draft = await screens.createDraft({ ...NARROWED, pick: "spread", perDomain: "1" });
    expect(JSON.parse(String(getCampaign(draft)?.narrowing))).toEqual({
      domain: "narrow.example",
      from: "2026-01-01",
      timeZone: "UTC",
      order: "spread",
      perDomain: 1,
    });
    const html = await read(`/admin/dashboard?draft=${draft}`);
    expect(html).toContain("with addresses at narrow.example, signed up since 2026-01-01 (UTC)");
    expect(html).toMatch(/name="domain"[^>]*value="narrow.example"/);
    expect(html).toMatch(/name="zone" value="UTC"/);
  });

  it.each<Record<string, string>>([
    { limit: "0" },
    { limit: "100001" },
    { perDomain: "few" },
    { role: "king" },
    { got: "sent" },
    { campaign: "mine" },
    { from: "2026-02-30" },
    { pick: "prettiest" },
    { company: "x".repeat(201) },
  ])("refuses %j, and loses nothing typed", async (fields) => {
    const answer = await press("preview", { title: "Typed title", ...fields });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain("Typed title");
    expect(html).toMatch(/<details[^>]*open=""/);
    for (const value of Object.values(fields)) expect(html).toContain(value);
  });

  it("is said and counted in the form of a refused button, too", async () => {
    await signUp("fay@refused.example");
    const narrowed = { domain: "refused.example", title: "" };
    const draft = await screens.createDraft(narrowed);
    const refused = await press("send", { ...narrowed, draft });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("with addresses at refused.example – 1 person<");
    const uncountable = await press("send", { ...narrowed, draft, limit: "none" });
    expect(uncountable.status).toBe(422);
    expect(await uncountable.text()).toContain("Not counted: please check the fields.");
  });

  it("keeps the chosen campaign by its title beside a date that is refused", async () => {
    // A draft is not among the latest campaigns, as no older campaign is.
    const older = await screens.createDraft({ title: "The first wave" });
    const html = await read(`/admin/dashboard?campaign=${older}&got=any&from=2026-02-02&to=2026-01-01`);
    expect(html).toMatch(/<option[^>]*selected[^>]*>The first wave<\/option>/);
  });

  it("is asked about again with the new number", async () => {
    await signUp("bo@again.example");
    await signUp("cy@again.example");
    const draft = await screens.createDraft({ domain: "again.example" });
    expect(getSearch(await press("send", { draft, domain: "again.example" })).get("step")).toBe("confirm");
    const reviewed = await getConfirmFields(server, superadmin.headers, draft);
    execute(
      server,
      "insert into suppressions (id, address, email_key, reason, detail, opted_out, created_at) values (?, ?, ?, 'added', '', 0, 1)",
      newId(),
      "cy@again.example",
      "cy@again.example",
    );
    const answer = await post(`/admin/dashboard?draft=${draft}&step=confirm`, reviewed);
    expect(answer.status).toBe(409);
    const html = await answer.text();
    expect(html).toContain("it had 2 people, and now has 1 person. Nothing was sent.");
    expect(html).toContain("You are about to send an email to 1 recipient.");
    expect(getCampaign(draft)).toMatchObject({ state: "draft" });
    expect((await confirm(draft)).status).toBe(303);
    expect(getCampaign(draft)).not.toMatchObject({ state: "draft" });
  });

  it("is not sent while people of an earlier version are missing", async () => {
    await signUp("eve@filling.example");
    execute(server, "update people_fill set finished_at = null");
    const answer = await press("send", { domain: "filling.example" });
    execute(server, "update people_fill set finished_at = 1");
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("People from before the update are still being added");
  });

  it("cannot be started from a list of people who get no emails", async () => {
    await signUp("di@list.example");
    const list = (search: string) => read(`/admin/people?domain=list.example&${search}`);
    expect(await list("form=early-access")).toMatch(
      /href="\/admin\/dashboard\?audience=early-access&amp;domain=list.example#outreach"[^>]*>Write to these 1</,
    );
    expect(await list("q=di")).toContain("A search cannot be written to: use the filters instead.");
    expect(await list("form=early-access&mail=open")).toContain("Write to these 1");
  });

  it("is started from a list of one form's people alone", async () => {
    await signUp("di@list.example");
    const html = await read("/admin/people?domain=list.example");
    expect(html).toContain("Choose a form: a campaign goes to one group.");
    expect(html).not.toContain("Write to these");
  });
});
