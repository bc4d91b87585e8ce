import type { Fault } from "./fault.ts";

/** Faults in routes and API endpoints; each needs a build. */
export const routeFaults: Readonly<Record<string, Fault>> = {
  "the list of users is there for every account": {
    file: "app/routes/admin.users/route.tsx",
    find: `export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireRole(request, "superadmin");`,
    replace: `export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAccount(request);`,
    tests: "tests/server/guard-sweep.test.ts",
  },
  "an email of the outbox is open to everybody": {
    file: "app/routes/admin.outbox_.$id.file/route.tsx",
    find: "await access.requireAccount(request);",
    replace: "await access.getUser(request);",
    tests: "tests/server/guard-sweep.test.ts",
  },
  "the login page redirects signed-in users to any URL": {
    file: "app/routes/login/route.tsx",
    find: `const next = toAdminPath(search.getAll("redirectTo"));`,
    replace: `const next = search.get("redirectTo") ?? paths.admin;`,
    tests: "tests/server/sessions.test.ts",
  },
  "a login leaves the previous session open": {
    file: "app/services/access/access.server.ts",
    find: "await this.signOut(request);",
    tests: "tests/contracts/access.test.ts",
  },
  "a logout leaves pages in the browser's cache": {
    file: "app/routes/logout/route.tsx",
    find: `"Clear-Site-Data": '"cache"',`,
    tests: "tests/server/headers.test.ts",
  },
  "an export of filtered submissions contains all of them": {
    file: "app/routes/admin.submissions.$kind.export/route.tsx",
    find: "submissions.batches(read.filter.matching, read.filter.sort)",
    replace: "submissions.batches({ kind }, read.filter.sort)",
    tests: "tests/server/submissions.test.ts",
  },
  "a notification is confirmed whatever number of devices was shown": {
    file: "app/routes/admin.notifications/actions.server.ts",
    find: "broadcasts.confirm({ id, expectedDevices }, by)",
    replace: "broadcasts.confirm({ id, expectedDevices: undefined }, by)",
    tests: "tests/server/notifications.test.ts",
  },
  "the preview of an email is not sandboxed": {
    file: "app/http/sandboxed-email.server.ts",
    find: `"sandbox; default-src 'none';`,
    replace: `"default-src 'none';`,
    tests: "tests/server/email-preview.test.ts",
  },
  "a GET of the unsubscribe link unsubscribes": {
    file: "app/routes/unsubscribe.$token/route.tsx",
    find: `export function loader({ params }: LoaderFunctionArgs) {
  const known = unsubscribing.isKnownToken(params.token ?? "");`,
    replace: `export async function loader({ params, request }: LoaderFunctionArgs) {
  const { ok: known } = await unsubscribing.unsubscribe(params.token ?? "", getRequestOrigin(request));`,
    tests: "tests/server/safe-methods.test.ts",
  },
  "a token for reading the log can manage accounts": {
    file: "app/api/calls/accounts.server.ts",
    find: `withToken("accounts:manage")`,
    replace: `withToken("logs:read")`,
    tests: "tests/server/api-document.test.ts",
  },
};
