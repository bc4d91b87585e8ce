import { row } from "./row";
import type { NamedTest, Row } from "./row";

const table = (name: string): NamedTest => ["tests/server/specified-routes.test.ts", name];
const asked = (what: string): Row => row(what, table(what));

export const routes: readonly Row[] = [
  asked("/ is the landing page"),
  asked("/login is the login page"),
  asked("/unauthorized is the Access Denied page"),
  row(
    "/admin/* asks for a login, every page and every action of it",
    table("whatever is below /admin asks for a login first, also what is not there"),
    ["tests/server/role-matrix.test.ts", "(C9)"],
    ["tests/server/guard-sweep.test.ts", "(C9)"],
  ),
  row(
    "/admin and /admin/dashboard are the Dashboard",
    table("/admin leads to the Dashboard"),
    table("/admin/dashboard is the Dashboard"),
  ),
  row("/admin/users is User Management, for superadmins alone", table("/admin/users is User Management"), [
    "tests/server/users.test.ts",
    "an admin is sent to Access Denied, and finds no sign of it elsewhere (C9)",
  ]),
  asked("/admin/notifications is Send Notifications"),
  asked("/admin/logs is System Logs"),
  row(
    "/admin/resouces-monitor, spelt so, is the System Resources Monitor",
    table("/admin/resouces-monitor is the System Resources Monitor"),
  ),
  asked("/admin/password-reset is Reset Password"),
  row("Unknown paths lead to /", table("the unknown path")),
  row("The page somebody was sent away from is where the login leads", [
    "tests/server/sessions.test.ts",
    "a page of the back office is where they meant to go (C13)",
  ]),
  row("A full-screen spinner while a guarded page is on its way", [
    "tests/e2e/operator.spec.ts",
    "sees a spinner when the back office is slow to open, wherever they come from",
  ]),
  row("Logout clears the session and leads to /login", [
    "tests/server/sessions.test.ts",
    "at logout: the old cookie leads to the login page (C6)",
  ]),
];
