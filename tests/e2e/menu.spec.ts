import { expectNothingFound } from "./axe";
import { expect, openSignedIn, test } from "./product";

/** Each entry of the rail with the title of its screen. */
const ENTRIES = [
  ["Dashboard", "Admin Dashboard"],
  ["User Management", "User Management"],
  ["Send Notifications", "Send Broadcast Notification"],
  ["Logs", "System Logs"],
  ["Server Resources", "System Resources Monitor"],
  ["Reset Password", "Reset Password"],
  ["Submissions", "Submissions"],
  ["People", "People"],
  ["Inquiries", "Submissions"],
  ["Campaigns", "Campaigns"],
  ["Templates", "Templates"],
  ["Automatic emails", "Automatic emails"],
  ["Quarantine", "Quarantine"],
  ["Suppressions", "Suppressions"],
  ["Activity", "Activity"],
  ["My account", "My account"],
  ["Alerts", "Alerts"],
  ["My sessions", "My sessions"],
  ["Two-factor login", "Two-factor login"],
  ["API tokens", "API tokens"],
  ["Setup", "Setup"],
] as const;

/** Screens that their own journeys check with axe, with more on them. */
const CHECKED_ELSEWHERE: readonly string[] = [
  "Dashboard",
  "User Management",
  "Logs",
  "Reset Password",
  "Submissions",
  "People",
  "Inquiries",
  "Templates",
  "Automatic emails",
  "Quarantine",
  "Suppressions",
  "My account",
  "Alerts",
  "Two-factor login",
  "API tokens",
  "Setup",
];

test("every entry of the menu leads where it says @js", async ({ page, product }) => {
  await openSignedIn(page, product, "/admin");
  const rail = page.getByRole("navigation", { name: "Back office" }).getByRole("link");
  await expect(rail).toHaveText(ENTRIES.map(([entry]) => entry));
  for (const [entry, title] of ENTRIES) {
    await rail.filter({ hasText: entry }).first().click();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(rail.filter({ hasText: entry }).first()).toHaveAttribute("aria-current", "page");
    if (!CHECKED_ELSEWHERE.includes(entry)) await expectNothingFound(page, title);
  }
});
