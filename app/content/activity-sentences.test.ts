import { expect, it } from "vitest";
import { actionNames, groupedActions, getSentence, formatSentence } from "./activity-sentences";

const entry = { actor: "ada@example.com", subject: "grace@example.com", outcome: "ok" } as const;

it("says an action by its outcome", () => {
  expect(formatSentence({ ...entry, action: "send-test-mail" })).toBe(
    "ada@example.com sent a test email to grace@example.com",
  );
  expect(formatSentence({ ...entry, action: "send-test-mail", outcome: "failed" })).toBe(
    "ada@example.com could not send a test email to grace@example.com",
  );
  expect(formatSentence({ ...entry, action: "login" })).toBe("ada@example.com logged in");
});

it("names those who are no account, and a send by its title", () => {
  expect(
    formatSentence({ ...entry, actor: "visitor", action: "login", outcome: "refused", subject: "" }),
  ).toBe("A visitor could not log in as (no address)");
  expect(formatSentence({ ...entry, actor: "system", action: "create-superadmin" })).toBe(
    "The server created the first superadmin, grace@example.com",
  );
  expect(getSentence({ ...entry, action: "retry-failed", subject: "an id", campaignTitle: "News" })).toEqual({
    actor: "ada@example.com",
    before: "retried the failed deliveries of ",
    subject: "News",
    after: "",
  });
});

it.each(["frobnicate", "constructor", "__proto__", "name"])(
  "says an action it does not know as it stands: %s",
  (action) => {
    expect(formatSentence({ ...entry, action })).toBe(`ada@example.com ${action}: grace@example.com`);
  },
);

it("says an outcome it has no words for as it stands", () => {
  expect(formatSentence({ ...entry, action: "logout", outcome: "failed" })).toBe(
    "ada@example.com logout: grace@example.com",
  );
});

it("takes nothing in a subject for its own sign", () => {
  expect(formatSentence({ ...entry, action: "end-session", subject: "{subject} $& $1" })).toBe(
    "ada@example.com ended another session of their own: {subject} $& $1",
  );
});

it("has a name of its own for every kind of action", () => {
  expect(new Set(actionNames.map(({ name }) => name)).size).toBe(actionNames.length);
  expect(actionNames.length).toBeGreaterThan(15);
  const grouped = Object.values(groupedActions).flatMap((group) => Object.entries(group));
  expect(grouped.toSorted()).toEqual(actionNames.map(({ action, name }) => [action, name]).toSorted());
});
