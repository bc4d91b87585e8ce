import { notHeld, row } from "./row";
import type { NamedTest, Row } from "./row";

const fixed = (name: string): NamedTest => ["tests/constants.test.ts", name];
const table = (name: string): NamedTest => ["app/components/data-table.test.tsx", name];
const toasts = (name: string): NamedTest => ["app/components/toast-queue.test.ts", name];
const visitor = (name: string): NamedTest => ["tests/e2e/visitor.spec.ts", name];
const push = (name: string): NamedTest => ["tests/e2e/push.spec.ts", name];
const limits = (name: string): NamedTest => ["app/services/resources/thresholds.test.ts", name];
const paces: NamedTest = [
  "tests/e2e/toasts.spec.ts",
  "what succeeded stands in a toast for as long as the specification says, or as somebody reads it",
];
const firstPush = push(
  "are asked for, registered, shown on the page to who looks at it and by the worker otherwise",
);
const INSIDE = "inside Firebase's and Vite's own code, which we neither set nor test";

export const constants: readonly Row[] = [
  row("A login leads on after 1.5 s", [
    "tests/e2e/login-pace.spec.ts",
    "leads on after one and a half seconds",
  ]),
  row("A temporary password is 8 random characters and A1!", [
    "tests/contracts/user-management.test.ts",
    "adds an admin with 8 random characters and A1!, good for 24 hours, kept as a hash only",
  ]),
  row("A table's preview on small screens has 5 rows", table("shows five cards on a small screen")),
  row(
    "Cells are cut at 50 in tables and at 80 on cards",
    table("cuts the table's last column at 50 characters and no other"),
    table("cuts every value of a small screen's card at 80"),
  ),
  row("Outreach previews 5 addresses", [
    "tests/contracts/outreach-audience.test.ts",
    "previews distinct addresses of the group alone, the first five mailable ones in order of signup",
  ]),
  row(
    "Distribution bars: rounded percentages, 0 of nothing, blue from 50, green from 30, red below",
    ["app/lib/percentage.test.ts", "percent"],
    ["app/routes/admin.dashboard/distribution.test.tsx", "is blue from 50, green from 30 and red below"],
    [
      "app/routes/admin.dashboard/distribution.test.tsx",
      "is nothing of everything while nobody has sent a form",
    ],
  ),
  row("The toast of a test mail stays 3 s", paces),
  row("The early access and updates dialogs close after 2 s", [
    "tests/e2e/forms.spec.ts",
    "closes and is empty two seconds after success",
  ]),
  row("The contact form's thanks stay 5 s", [
    "tests/e2e/forms.spec.ts",
    "the contact form is empty after success and hides its thanks after five seconds",
  ]),
  row("A temporary password is shown for 5 s", [
    "tests/e2e/users.spec.ts",
    "a temporary password is hidden after five seconds, unless somebody points at it, focuses it or copies it",
  ]),
  row("Scroll buttons appear beyond 100px", visitor("finds the scroll buttons beyond a hundred pixels")),
  row(
    "Anchors stop 100px from the top",
    visitor("jumps to a part of the page, which stops a hundred pixels from the top"),
  ),
  row(
    "Defaults: the team as sender, a test mail's subject, an invitation's subject",
    fixed("the default sender label is the team"),
    fixed("a test mail's default subject"),
    ["tests/server/specified-cases.test.ts", "a test mail without a title says that it is one"],
    ["tests/server/api-client.test.ts", "sends a mail, once for each key"],
  ),
  row("Recipient groups: early-access, contact-form, updates-signup", fixed("the recipient groups")),
  row(
    "Toasts: at most 20; 4 s for blank, error and custom, 2 s for success, no limit for loading",
    toasts("shows each kind as long as the specification says (section 9)"),
    toasts("holds at most twenty, newest first, and lets the oldest go"),
  ),
  row("A push message's toast stays until it is dismissed", firstPush),
  row("Resources refresh every 30 s", [
    "tests/e2e/resources.spec.ts",
    "the page fetches its data again every 30 seconds",
  ]),
  row(
    "Meetings: capacity 15, the bar capped at 100 %, warning from 8, danger from 12",
    fixed("meetings have a capacity of 15"),
    limits("meetings are"),
  ),
  row("Usage: yellow from 70, red from 90", limits("a usage of")),
  row("Healthy: memory below 70, CPU below 80, disk below 75", limits("are over in")),
  row("A check warns from 8 concurrent meetings on", [
    "tests/server/resources.test.ts",
    "check after check: the log has many meetings as a warning and an absent Redis as an error",
  ]),
  row(
    "Conversions: 1073741824 bytes a GB, 1048576 a MB",
    fixed("a gigabyte is 1073741824 bytes"),
    fixed("a megabyte is 1048576 bytes"),
  ),
  row("A device's app type is the landing page's", firstPush),
  row(
    "Beta within 6 months, copyright 2025",
    visitor("finds every part of the landing page"),
    fixed("the copyright is of 2025"),
  ),
  row("The browser keeps who is logged in under user, without a token", [
    "tests/e2e/login-pace.spec.ts",
    "a login says that it succeeded",
  ]),
  row("The browser keeps fcm_initialized and fcm_userId", firstPush),
  row(
    "A second set-up of push waits 1000 ms for the first",
    push("are registered once when two tabs begin at the same moment"),
  ),
  row("A push registration is renewed after 7 days", [
    "app/routes/($form)/push/registration-record.test.ts",
    "holds for seven days and not a millisecond longer",
  ]),
  row("The push worker has 10 s to get ready", push("wait ten seconds for their worker")),
  notHeld("Cloud auth: token refresh, back-offs, popup size, polls, heartbeats", INSIDE),
  row(
    "HTTP client: no timeout, success from 200 to 299; ruled otherwise: every call has a timeout and a contract of its own",
    ["tests/contracts/platform.test.ts", "makes one error of"],
  ),
  notHeld("Scripts have 120 s to load", INSIDE),
  row("Breakpoints 0, 600, 900, 1200, 1536", fixed("the breakpoints are 0, 600, 900, 1200 and 1536")),
];
