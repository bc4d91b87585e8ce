import { expect, it } from "vitest";
import { hours } from "~/lib/durations";
import { appendLines, withLogStore } from "../factories/logs";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const { read, post } = useSuperadmin(server);

const choose = (fields: Record<string, string>) => post("/admin/account", { intent: "time-zone", ...fields });
/** The text of the frame that names the zone. */
const named = (zone: string) =>
  new RegExp(`Times in </span><a [^>]*href="/admin/account#time-zone"[^>]*>${zone}<`);

it("is UTC until one is chosen, by a form without a script", async () => {
  const page = await read("/admin/account");
  expect(page).toMatch(named("UTC"));
  expect(page).toMatch(/<option selected="">UTC<\/option>/);
  const answer = await choose({ timeZone: "Asia/Tokyo" });
  expect(answer.headers.get("Location")).toBe("/admin/account?notice=time-zone-saved");
  const chosen = await read("/admin/account?notice=time-zone-saved");
  expect(chosen).toContain("Your time zone was saved.");
  expect(chosen).toMatch(named("Asia/Tokyo"));
  expect(chosen).toMatch(/<option selected="">Asia\/Tokyo<\/option>/);
});

it("is that of every time, with UTC as its title", async () => {
  await choose({ timeZone: "Asia/Tokyo" });
  await withLogStore(server.dataDir, (store) => appendLines(store, ["2026-11-21T20:00:05Z [NOTICE] late"]));
  const log = await read("/admin/logs?level=NOTICE");
  expect(log).toMatch(named("Asia/Tokyo"));
  expect(log).toMatch(
    /dateTime="2026-11-21T20:00:05.000Z" title="2026-11-21 20:00:05 UTC"[^>]*>2026-11-22 05:00:05</,
  );
  const activity = await read("/admin/activity");
  const [, day, clock, shown] =
    /<time dateTime="[^"]+" title="(\S+) (\d\d:\d\d) UTC"[^>]*>(\d\d:\d\d)</.exec(activity) ?? [];
  const there = new Date(Date.parse(`${day}T${clock}Z`) + hours(9)).toISOString();
  expect(there.slice(11, 16)).toBe(shown);
  expect(activity).toContain(`id="day-${there.slice(0, 10)}"`);
});

it.each(["Mars/Base", "+02:00", ""])("cannot be %j", async (timeZone) => {
  await choose({ timeZone: "Asia/Tokyo" });
  const answer = await choose({ timeZone });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("Please choose one of the time zones.");
  expect(await read("/admin/account")).toMatch(named("Asia/Tokyo"));
});

// C13
it.each([
  ["/admin/logs?level=ERROR", "/admin/logs?level=ERROR"],
  ["https://e.example/", "/admin"],
])("chosen on the screen %s leads to %s", async (returnTo, target) => {
  const answer = await choose({ timeZone: "Europe/Berlin", returnTo });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe(target);
});
