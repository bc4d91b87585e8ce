import { notHeld, row } from "./row";
import type { NamedTest, Row } from "./row";

const E2E = "tests/e2e";
const SERVER = "tests/server";
const CONTRACTS = "tests/contracts";
const bench = (name: string): NamedTest => [`tests/bench/${name}.ts`, ""];
const story: NamedTest = [
  `${E2E}/story.spec.ts`,
  "three visitors sign up, the superadmin writes to them, one leaves the list and is skipped",
];

export const promises: readonly Row[] = [
  notHeld(
    "From a fresh clone, with Node 20 or newer and npm: npm start serves, npm test runs everything",
    "a clone is not installed by a test, which would need a registry; its steps are",
    [
      "scripts/prepare.test.ts",
      "has no stamp when it failed, and is taken up again even when all seems to be there",
    ],
  ),
  row(
    "With nothing configured every screen works",
    [`${SERVER}/specified-routes.test.ts`, "/admin/dashboard is the Dashboard"],
    [`${SERVER}/role-matrix.test.ts`, "(C9)"],
  ),
  row(
    "A real service half configured stops the start with the variable's name",
    [`${SERVER}/platform.test.ts`, "by the names of what"],
    [`${SERVER}/google.test.ts`, "nobody who is logged in, and a login that others can read"],
  ),
  row("Every page and form works without JavaScript", story, [
    `${E2E}/forms.spec.ts`,
    "says at each field what is wrong, keeps what was typed, and is stored as typed once it is right",
  ]),
  row(
    "Acknowledged means on disk",
    [`${CONTRACTS}/database.test.ts`, "is synced at every commit on both connections and kept in WAL (R2)"],
    ["tests/faults/signup-kills.test.ts", "loses no acknowledged signup and stores none twice"],
  ),
  row(
    "Several instances on one PostgreSQL",
    ["tests/faults/two-instances.test.ts", "send each of 10,000 mails once"],
    [`${SERVER}/login.test.ts`, "database count together (C3)"],
  ),
  row(
    "Each driver keeps its port's contract",
    [`${CONTRACTS}/smtp-mailer.test.ts`, "SmtpMailer"],
    [`${CONTRACTS}/outbox-mailer.test.ts`, "OutboxMailer"],
    [`${CONTRACTS}/gmail-mailer.test.ts`, "GmailMailer"],
    [`${CONTRACTS}/push-sender.test.ts`, "(R10)"],
    [`${CONTRACTS}/fcm-sender.test.ts`, "(R10)"],
    [`${CONTRACTS}/mirrors.test.ts`, "copies each form in the specification's columns, in order"],
    [`${CONTRACTS}/log-store.test.ts`, "gives lines back newest first, or oldest first, page by page"],
    [`${CONTRACTS}/tenants.test.ts`, "are those of the file, in the order of their names"],
    [`${CONTRACTS}/platform.test.ts`, "gives what the platform measures, within 0 and 100"],
  ),
  row(
    "Three forms, one guard: caps, honeypot, times, limits, once each",
    [`${CONTRACTS}/signups.test.ts`, "(C27)"],
    [`${SERVER}/input.test.ts`, "(C25)"],
    [`${SERVER}/input.test.ts`, "(C26)"],
  ),
  row("Consent is recorded with each signup", [
    `${CONTRACTS}/signups.test.ts`,
    "keeps a signup with its consent and counts it",
  ]),
  row(
    "Every mail can be unsubscribed from by one click, and who did gets no more",
    ["app/services/mail/compose.test.ts", "carries the headers of one-click unsubscribing (RFC 8058, C20)"],
    [
      `${CONTRACTS}/outreach-unsubscribe.test.ts`,
      "takes an address off for good, at once, and again as often as it is asked (C20)",
    ],
    story,
  ),
  row(
    "Tables: search, filter, pages and copies of exactly what is filtered",
    [`${CONTRACTS}/submission-tables.test.ts`, "(R27)"],
    [`${SERVER}/submissions.test.ts`, "no cell a formula, and one entry in the activity (C21)"],
  ),
  row(
    "Keyboard: every screen by keys alone, and they can be turned off",
    [`${E2E}/shell.spec.ts`, "the keyboard leads everywhere, and never out of a field"],
    [`${E2E}/keyboard.spec.ts`, "need no mouse, and the focus is never lost"],
  ),
  row(
    "Outreach: a ledger whose totals add up through trouble, crashes and instances",
    ["tests/faults/outreach-kills.test.ts", "skips nobody, doubles at most what was in flight"],
    [`${E2E}/mail-trouble.spec.ts`, "ends with each recipient as the server answered"],
  ),
  row(
    "Broadcasts: a row for each device, and counts that are the rows",
    ["tests/faults/broadcast-kills.test.ts", "skips no device, and its counts are its rows"],
    [`${SERVER}/notifications.test.ts`, "says how it went"],
  ),
  row(
    "Logs: by level, searched, live, deleted as a whole",
    [`${E2E}/logs.spec.ts`, "the log is read by level, searched, pointed at and deleted"],
    [`${E2E}/logs.spec.ts`, "a live page shows new lines by itself, until it is stopped"],
  ),
  row(
    "Resources: figures, history and incidents",
    [`${E2E}/resources.spec.ts`, "an operator sees how the server is, without any Redis"],
    ["app/services/resources/incident-rules.test.ts", "begin after 30 seconds at the limit"],
  ),
  row(
    "Activity: who did what, when, from where",
    [`${SERVER}/activity.test.ts`, "tells what was done in sentences"],
    [`${SERVER}/activity.test.ts`, "holds exactly what the filter lets through"],
  ),
  row(
    "The API: every call of the specification's section 7, with tokens",
    [`${SERVER}/api-client.test.ts`, "sends a mail, once for each key"],
    [`${SERVER}/api.test.ts`, "(C11)"],
  ),
  row(
    "Look: contrast and structure in both themes",
    [
      `${E2E}/accessibility.spec.ts`,
      "axe finds nothing in any state of the landing page and its forms in either theme",
    ],
    [
      `${E2E}/accessibility.spec.ts`,
      "axe finds nothing on the questions and refused forms of the back office in either theme",
    ],
  ),
  notHeld(
    "Look: every screen at four widths in both themes, as it should be",
    "looked at by eye; no test compares pictures",
    ["tests/e2e/weight.spec.ts", "a first visit stays within its budget and moves nothing while it loads"],
  ),
  row(
    "Speed: the landing page and signups at 0.7 of doing it bare, mails and push at 0.8",
    bench("landing"),
    bench("signups"),
    bench("mails"),
    bench("pushes"),
  ),
  row("Size: 220 MiB idle, 2 s to the first answer, 30 MiB for 1,000 idle connections", bench("idle")),
];
