import { describe, expect, it } from "vitest";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

describe("a chosen appearance", () => {
  // C13
  it.each(["https://e.example/", "//e.example", "/", "/login"])(
    "redirects to no other address: %s",
    async (returnTo) => {
      const answer = await superadmin.post("/admin/appearance", { theme: "dark", returnTo });
      expect(answer.headers.get("Location")).toBe("/admin");
    },
  );

  it("keeps the screen, however long its address is", async () => {
    const returnTo = `/admin/people?q=${"a".repeat(1800)}`;
    const answer = await superadmin.post("/admin/appearance", { theme: "dark", returnTo });
    expect(answer.headers.get("Location")).toBe(returnTo);
  });

  it.each([
    ["an invalid encoding", "appearance=%E0%A4%A"],
    ["a list", `appearance=${btoa("[1]")}`],
    ["unknown values", `appearance=${btoa('{"theme":"\\"><script>","rail":7}')}`],
  ])("is the default with %s in the cookie", async (_, cookie) => {
    const headers = { Cookie: `${superadmin.cookie}; ${cookie}` };
    const html = await readText(server.fetch("/admin/dashboard", { headers }));
    expect(html).not.toContain("data-theme=");
    expect(html).toContain('data-slot="sidebar-wrapper" data-state="expanded"');
  });
});
