import { expect, it } from "vitest";
import { AUDIT_ACTIONS } from "~/services/audit/actions";
import { groupedActions, getSentence, formatSentence } from "./activity-sentences";

const entry = { actor: "ada@example.com", subject: "grace@example.com", outcome: "ok" } as const;

it.each<[Partial<Parameters<typeof formatSentence>[0]> & { action: string }, string]>([
  [{ action: "send-test-email" }, "ada@example.com sent a test email to grace@example.com"],
  [
    { action: "send-test-email", outcome: "failed" },
    "ada@example.com tried to send a test email to grace@example.com, and no mail server confirmed it",
  ],
  [{ action: "login" }, "ada@example.com logged in"],
  [
    { action: "login", actor: "visitor", outcome: "refused", subject: "" },
    "A visitor could not log in as (no address)",
  ],
  [
    { action: "create-superadmin", actor: "system" },
    "The server created the first superadmin, grace@example.com",
  ],
  [
    { action: "end-session", subject: "{subject} $& $1" },
    "ada@example.com ended another session of their own: {subject} $& $1",
  ],
  // An outcome and actions without a wording.
  [{ action: "logout", outcome: "failed" }, "ada@example.com logout: grace@example.com"],
  [{ action: "frobnicate" }, "ada@example.com frobnicate: grace@example.com"],
  [{ action: "constructor" }, "ada@example.com constructor: grace@example.com"],
  [{ action: "__proto__" }, "ada@example.com __proto__: grace@example.com"],
])("the sentence of %j is %j", (differing, sentence) => {
  expect(formatSentence({ ...entry, ...differing })).toBe(sentence);
});

it("a sentence names a campaign by its title", () => {
  expect(getSentence({ ...entry, action: "retry-failed", subject: "an id", subjectTitle: "News" })).toEqual({
    actor: "ada@example.com",
    before: "retried the failed deliveries of ",
    subject: "News",
    after: "",
  });
});

it("every action has a name of its own, in one group", () => {
  const actions = Object.values(groupedActions).flatMap((group) => Object.keys(group));
  expect(actions.toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  const names = Object.values(groupedActions).flatMap((group) => Object.values(group));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(15);
});
