import { beforeAll, describe, expect, it } from "vitest";
import { formPost, logIn, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";

let server: ServerProcess;
let session: string;
beforeAll(async () => {
  server = await sharedServer();
  session = await logIn(server);
});

async function choose(fields: Record<string, string>, cookie = session) {
  const answer = await server.fetch("/admin/appearance", formPost(fields, { Cookie: cookie }));
  const [appearance = ""] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
  return { status: answer.status, to: answer.headers.get("Location"), appearance };
}

async function page(path: string, ...cookies: string[]): Promise<string> {
  const answer = await server.fetch(path, { headers: { Cookie: cookies.join("; ") } });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe("a chosen appearance", () => {
  it("is part of every later page, and one part stays when the other changes", async () => {
    const dark = await choose({ theme: "dark", returnTo: "/admin/outbox?before=x" });
    expect([dark.status, dark.to]).toEqual([303, "/admin/outbox?before=x"]);
    expect(await page("/admin/dashboard", session, dark.appearance)).toContain(
      '<html lang="en" data-theme="dark"',
    );
    expect(await page("/login", dark.appearance)).toContain('data-theme="dark"');
    const narrow = await choose({ rail: "narrow" }, `${session}; ${dark.appearance}`);
    const html = await page("/admin/dashboard", session, narrow.appearance);
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('data-rail="narrow"');
    const system = await choose({ theme: "system" }, `${session}; ${narrow.appearance}`);
    expect(await page("/admin/dashboard", session, system.appearance)).not.toContain("data-theme=");
  });

  it.each(["https://e.example/", "//e.example", "/", "/login"])(
    "redirects to no other address: %s (C13)",
    async (returnTo) => {
      expect((await choose({ theme: "dark", returnTo })).to).toBe("/admin");
    },
  );

  it.each([
    ["an invalid encoding", "appearance=%E0%A4%A"],
    ["a list", `appearance=${btoa("[1]")}`],
    ["unknown values", `appearance=${btoa('{"theme":"\\"><script>","rail":7}')}`],
  ])("is the default with %s in the cookie", async (_, cookie) => {
    const html = await page("/admin/dashboard", session, cookie);
    expect(html).not.toContain("data-theme=");
    expect(html).toContain('data-rail="wide"');
  });
});
