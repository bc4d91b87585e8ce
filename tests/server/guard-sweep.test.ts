import { beforeAll, describe, expect, it } from "vitest";
import { formPost } from "../server-process";
import type { ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";
import { builtRoutes, loginAfterPost, loginBefore } from "./route-manifest";

const guarded = builtRoutes().filter((route) => route.path === "/admin" || route.path.startsWith("/admin/"));
const posting = builtRoutes().filter((route) => route.hasAction);

let server: ServerProcess;
beforeAll(async () => {
  server = await sharedServer();
});

it("finds the routes it is to sweep", () => {
  expect(guarded.map((route) => route.id)).toEqual(
    expect.arrayContaining([
      "routes/admin",
      "routes/admin.dashboard",
      "routes/admin.users",
      "routes/admin.tokens",
      "routes/admin.password-reset",
      "routes/admin.outreach.$id",
      "routes/admin.notifications",
      "routes/admin.notifications_.$id",
    ]),
  );
});

describe("nobody who is not signed in gets past a guard (C9)", () => {
  it.each(guarded)("document of $id", async ({ path }) => {
    const answer = await server.fetch(path);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, loginBefore(path)]);
    expect(await answer.text()).toBe("");
  });

  it.each(guarded.filter((route) => route.hasLoader))("loader of $id alone", async ({ id, path }) => {
    // Single fetch runs exactly this loader, so a parent's guard cannot stand in for a missing one.
    const answer = await server.fetch(`${path}.data?_routes=${encodeURIComponent(id)}`);
    const body = await answer.text();
    expect(answer.status).toBe(202);
    expect(body).toContain("SingleFetchRedirect");
    expect(body).toContain("/login?redirectTo=");
  });

  it.each(guarded.filter((route) => route.hasAction))("action of $id", async ({ path }) => {
    const answer = await server.fetch(path, formPost({ intent: "send" }));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, loginAfterPost(path)]);
  });
});

describe("no route that takes a post takes one from elsewhere (C7)", () => {
  const elsewhere = [
    ["Sec-Fetch-Site: cross-site", { "Sec-Fetch-Site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "Sec-Fetch-Site": "same-site" }],
    ["a foreign Origin", { Origin: "https://e.example" }],
    ["Origin: null", { Origin: "null" }],
    ["a cookie and neither header", { Cookie: "sid=x" }],
  ] as const;

  it("finds the routes it is to sweep", () => {
    expect(posting.map((route) => route.id)).toEqual(
      expect.arrayContaining([
        "routes/login",
        "routes/logout",
        "routes/($form)",
        "routes/unsubscribe.$token",
      ]),
    );
  });

  describe.each(posting)("$id", ({ path }) => {
    it.each(elsewhere)("%s", async (_, headers) => {
      const body = new URLSearchParams({ name: "x", email: "x@example.com" });
      const answer = await server.fetch(path, { method: "POST", body, headers });
      expect(answer.status).toBe(403);
    });
  });
});
