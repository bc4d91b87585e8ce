import { beforeAll, describe, expect, it } from "vitest";
import { becomeAdmin, getRedirect } from "./operators";
import { type Session } from "./session";
import { useServer, useSuperadmin } from "./use-server";

type Gate = "public" | "signed-in" | "superadmin";

const server = useServer();
const superadmin = useSuperadmin(server);
let admin: Session;
beforeAll(async () => {
  admin = await becomeAdmin(server, superadmin.cookie, "admin@example.com");
});

const open = (path: string, person?: Session) => (person ? person.get(path) : server.fetch(path));
const getHeadings = async (answer: Response) =>
  [...(await answer.text()).matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, inside = ""]) =>
    inside.replace(/<[^>]+>/g, "").trim(),
  );

describe("the route table", () => {
  it.each<[string, string, RegExp, Gate]>([
    ["/ is the landing page", "/", /./, "public"],
    ["/login is the login page", "/login", /^Admin Login$/, "public"],
    ["/unauthorized is the Access Denied page", "/unauthorized", /^Access Denied$/, "public"],
    ["/admin/dashboard is the Dashboard", "/admin/dashboard", /^Admin Dashboard$/, "signed-in"],
    ["/admin/users is User Management", "/admin/users", /^User Management$/, "superadmin"],
    [
      "/admin/notifications is Send Notifications",
      "/admin/notifications",
      /^Send Broadcast Notification$/,
      "signed-in",
    ],
    ["/admin/logs is System Logs", "/admin/logs", /^System Logs$/, "signed-in"],
    [
      "/admin/resouces-monitor is the System Resources Monitor",
      "/admin/resouces-monitor",
      /^System Resources Monitor$/,
      "signed-in",
    ],
    ["/admin/password-reset is Reset Password", "/admin/password-reset", /^Reset Password$/, "signed-in"],
  ])("%s", async (_, path, heading, gate) => {
    const status = path === "/unauthorized" ? 403 : 200;
    // Signed-in users are redirected from the login page.
    const page = await open(path, path === "/login" ? undefined : superadmin);
    expect(page.status).toBe(status);
    expect(await getHeadings(page)).toEqual([expect.stringMatching(heading)]);

    const forVisitor = await open(path);
    if (gate === "public") expect(forVisitor.status).toBe(status);
    else expect(getRedirect(forVisitor)).toEqual([303, `/login?redirectTo=${encodeURIComponent(path)}`]);

    const forAdmin = await open(path, admin);
    if (gate === "superadmin") expect(getRedirect(forAdmin)).toEqual([303, "/unauthorized"]);
    else if (path !== "/login") expect(forAdmin.status).toBe(status);
  });

  it("/admin leads to the Dashboard", async () => {
    expect(getRedirect(await open("/admin", admin))).toEqual([303, "/admin/dashboard"]);
  });

  it.each(["/no-such-page", "/early", "/user/1"])("the unknown path %s leads to /", async (path) => {
    expect(getRedirect(await open(path))).toEqual([303, "/"]);
  });

  it("every path below /admin needs a login, also an unknown one", async () => {
    expect(getRedirect(await open("/admin/no-such-page"))).toEqual([
      303,
      "/login?redirectTo=%2Fadmin%2Fno-such-page",
    ]);
  });

  it("Access Denied gives the reason and a link", async () => {
    const html = await (await open("/unauthorized")).text();
    expect(html).toContain("You don&#x27;t have permission to access this page.");
    expect(html).toMatch(/href="\/"[^>]*>[^<]*(?:<[^>]*>)*[^<]*Return to Home/);
  });
});
