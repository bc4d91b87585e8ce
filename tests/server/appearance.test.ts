import { describe, expect, it } from "vitest";
import { formPost } from "../server-process";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

async function choose(fields: Record<string, string>, cookie = superadmin.cookie) {
  const answer = await server.fetch("/admin/appearance", formPost(fields, { Cookie: cookie }));
  const [appearance = ""] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
  return { status: answer.status, to: answer.headers.get("Location"), appearance };
}

const page = (path: string, ...cookies: string[]) =>
  readText(server.fetch(path, { headers: { Cookie: cookies.join("; ") } }));

describe("a chosen appearance", () => {
  it("is part of every later page, and one part stays when the other changes", async () => {
    const dark = await choose({ theme: "dark", returnTo: "/admin/outbox?before=x" });
    expect([dark.status, dark.to]).toEqual([303, "/admin/outbox?before=x"]);
    expect(await page("/admin/dashboard", superadmin.cookie, dark.appearance)).toContain(
      '<html lang="en" data-theme="dark"',
    );
    expect(await page("/login", dark.appearance)).toContain('data-theme="dark"');
    const narrow = await choose({ rail: "narrow" }, `${superadmin.cookie}; ${dark.appearance}`);
    const html = await page("/admin/dashboard", superadmin.cookie, narrow.appearance);
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('data-rail="narrow"');
    const system = await choose({ theme: "system" }, `${superadmin.cookie}; ${narrow.appearance}`);
    expect(await page("/admin/dashboard", superadmin.cookie, system.appearance)).not.toContain("data-theme=");
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
    const html = await page("/admin/dashboard", superadmin.cookie, cookie);
    expect(html).not.toContain("data-theme=");
    expect(html).toContain('data-rail="wide"');
  });
});
