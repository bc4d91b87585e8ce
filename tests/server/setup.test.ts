import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { SUPERADMIN } from "../server-process";
import { becomeAdmin, getRedirect } from "./operators";
import { useServer, useSuperadmin } from "./use-server";
import { execute } from "./visitors";

describe("the setup screen", () => {
  const server = useServer({
    MAIL_DRIVER: "outbox",
    MAIL_PER_DAY: "500",
    METRICS_TOKEN: "a-token-that-no-screen-may-ever-show",
    BOUNCE_WEBHOOK_SECRET: "a-secret-that-no-screen-may-ever-show",
    REDIS_URL: "redis://someone:a-password-that-no-screen-shows@127.0.0.1:1",
  });
  const superadmin = useSuperadmin(server);

  // C34
  it("shows no secret, before the checks and after them", async () => {
    expect(await superadmin.read(paths.setup)).not.toMatch(/that-no-screen/);
    expect(getRedirect(await superadmin.post(paths.setup, { intent: "check" }))).toEqual([
      303,
      "/admin/setup?notice=setup-checked",
    ]);
    const html = await superadmin.read(`${paths.setup}?step=server`);
    expect(html).toContain("Redis does not answer");
    expect(html).not.toMatch(/that-no-screen/);
  });

  it("takes an email in the outbox for no proof", async () => {
    const answer = await superadmin.post(paths.setup, { intent: "send-test-email" });
    expect(getRedirect(answer)).toEqual([303, "/admin/setup?step=test-email&notice=test-email-stored"]);
    expect(await superadmin.read(`${paths.setup}?step=test-email`)).toContain("Stored in the outbox");
  });

  it("does not say that an email to a suppressed address was sent", async () => {
    const address = SUPERADMIN.email;
    await superadmin.post(paths.suppressionsAdd, { intent: "one", address, note: "" });
    await superadmin.post(paths.setup, { intent: "send-test-email" });
    const html = await superadmin.read(`${paths.setup}?step=test-email`);
    expect(html).toMatch(/Not sent<.*>Tried/s);
    expect(html).not.toMatch(/>Sent\b/);
    execute(server, "delete from suppressions where address = ?", address);
  });

  it("says what is left of the daily limit, and so does the status bar", async () => {
    const admin = await becomeAdmin(server, superadmin.cookie, "hedy@example.com");
    const left = /(\d+) of today&#x27;s 500 emails are left/.exec(await superadmin.read(paths.setup))?.[1];
    expect(Number(left)).toBeGreaterThan(490);
    const html = await superadmin.read(paths.setup);
    expect(html).toContain("Campaigns keep 50 emails a day free");
    expect(html).toMatch(/The count starts again at .*\d{4}-\d\d-\d\d 00:00/);
    const bar = (page: string) => page.slice(page.indexOf("<footer"));
    for (const page of [html, await admin.read(paths.dashboard)]) {
      expect(bar(page)).toContain(`${left} of 500 left today`);
      expect(bar(page)).toContain(", 50 kept free, resets at 00:00");
    }
  });

  it("is in the menu of superadmins alone, as is the card", async () => {
    const admin = await becomeAdmin(server, superadmin.cookie, "grace@example.com");
    for (const [session, isShown] of [
      [superadmin, true],
      [admin, false],
    ] as const) {
      const html = await session.read(paths.dashboard);
      expect(html.includes(`href="${paths.setup}"`)).toBe(isShown);
      expect(html.includes("Continue setup")).toBe(isShown);
    }
  });
});
