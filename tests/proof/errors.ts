import { row } from "./row";
import type { NamedTest, Row } from "./row";

const E2E = "tests/e2e";
const SERVER = "tests/server";

/** The sentence itself, and then where it is seen. */
const said = (sentence: string): NamedTest => ["tests/catalogue.test.ts", sentence];
const inAction: NamedTest = [`${SERVER}/log-and-errors.test.ts`, "in the product's own words (C32)"];
const thanks: NamedTest = [
  `${E2E}/forms.spec.ts`,
  "is sent, says thanks in its own words, and is stored as typed",
];
const adding = "adds a user, who must choose a password first and is out when removed";
const broken: NamedTest = [
  `${E2E}/push.spec.ts`,
  "that cannot be set up say so, leave nothing behind and can be tried again",
];

export const errors: readonly Row[] = [
  row(
    "Login, wrong address or password: Invalid email or password",
    said("Invalid email or password"),
    [
      `${SERVER}/login.test.ts`,
      "an unknown address and a wrong password get the same answer, to the byte (C2)",
    ],
    [
      `${E2E}/operator.spec.ts`,
      "is told of a wrong password, keeps the address and gets in with the right one",
    ],
  ),
  row(
    "Login, the server is too busy to check: Login failed. Please try again.",
    said("Login failed. Please try again."),
    [
      `${SERVER}/login.test.ts`,
      "of 300 logins at once what is too many hears so at once, while others are served",
    ],
  ),
  row(
    "Login, a surprise: Login failed. Please try again later.",
    said("Login failed. Please try again later."),
    inAction,
  ),
  row("Login, success: Login successful!", said("Login successful!"), [
    `${E2E}/login-pace.spec.ts`,
    "a login says that it succeeded",
  ]),
  row("Reset without a session: No user logged in", said("No user logged in"), [
    `${SERVER}/users.test.ts`,
    "who is logged out when they send a new password",
  ]),
  row(
    "Reset failed: Failed to reset password (page), Failed to update password (account endpoint, log)",
    said("Failed to reset password"),
    said("Failed to update password"),
    [`${SERVER}/users.test.ts`, "is refused in words when the new one is guessed first"],
  ),
  row("Reset done, by the endpoint: Password updated successfully", said("Password updated successfully"), [
    `${SERVER}/api-client.test.ts`,
    "manages accounts, and no answer holds a password",
  ]),
  row("Reset done, on the page: Password reset successfully", said("Password reset successfully"), [
    `${E2E}/users.spec.ts`,
    adding,
  ]),
  row(
    "Reset, a surprise: An error occurred. Please try again.",
    said("An error occurred. Please try again."),
    inAction,
  ),
  row("Reset, the two differ: New passwords don't match", said("New passwords don't match"), [
    `${E2E}/operator.spec.ts`,
    "can go nowhere but to the password page with a temporary password",
  ]),
  row("Adding or removing without being a superadmin: Unauthorized", said("Unauthorized"), [
    `${SERVER}/users.test.ts`,
    "an admin is sent to Access Denied, and finds no sign of it elsewhere (C9)",
  ]),
  row(
    "Creating a user: Failed to create user, User created successfully",
    said("Failed to create user"),
    said("User created successfully"),
    [`${SERVER}/users.test.ts`, "shows the temporary password in the answer to the post"],
    [`${SERVER}/users.test.ts`, "at an address that has an account is refused with the reason"],
  ),
  row(
    "Adding a user with a field empty: Please provide both email and full name",
    said("Please provide both email and full name"),
    [`${E2E}/users.spec.ts`, "is told what is missing, what is wrong and who cannot be removed"],
  ),
  row(
    "Adding a user, nothing stored: Failed to add user. Please try again.",
    said("Failed to add user. Please try again."),
    [`${SERVER}/users.test.ts`, "that the database does not take says so and loses nothing that was typed"],
  ),
  row("Removing somebody protected: Cannot remove superadmin users", said("Cannot remove superadmin users"), [
    `${SERVER}/users.test.ts`,
    "is refused for oneself, a superadmin and a protected address",
  ]),
  row("Removed: User removed successfully", said("User removed successfully"), [
    `${E2E}/users.spec.ts`,
    adding,
  ]),
  row("Inside, a status that is not OK: Network response was not ok", [
    "tests/contracts/platform.test.ts",
    "makes one error of",
  ]),
  row(
    "Early access and updates, failure: Something went wrong. Please try again.",
    said("Something went wrong. Please try again."),
    inAction,
  ),
  row(
    "Early access, success: Successfully registered! Thank you.",
    said("Successfully registered! Thank you."),
    thanks,
  ),
  row(
    "Updates, success: Thanks for signing up! You'll hear from us soon.",
    said("Thanks for signing up! You'll hear from us soon."),
    thanks,
  ),
  row(
    "Contact, failure: Something went wrong. Please try again or email us directly.",
    said("Something went wrong. Please try again or email us directly."),
    inAction,
  ),
  row(
    "Contact, success: Thank you for your message! We'll get back to you soon.",
    said("Thank you for your message! We'll get back to you soon."),
    thanks,
  ),
  row(
    "Broadcast, success: Successfully sent to N devices, with (M failed) when some did",
    said("Successfully sent to 7 devices"),
    said("Successfully sent to 7 devices (2 failed)"),
    [`${SERVER}/notifications.test.ts`, "says in the specification's words how it went"],
  ),
  row(
    "Broadcast, failure: Failed to send broadcast notification: and why",
    said("Failed to send broadcast notification: why"),
    [`${E2E}/notifications.spec.ts`, "stops it with its words, until somebody tries again"],
  ),
  row("Broadcast, nothing stored: Failed to send notification", said("Failed to send notification"), [
    `${SERVER}/specified-cases.test.ts`,
    "a notification that the database does not take says so",
  ]),
  row("Bulk email, success: Emails sent successfully", said("Emails sent successfully"), [
    `${E2E}/story.spec.ts`,
    "three visitors sign up, the superadmin writes to them, one leaves the list and is skipped",
  ]),
  row("Bulk email, failure: Error sending Emails", said("Error sending Emails"), [
    `${E2E}/mail-trouble.spec.ts`,
    "ends with each recipient as the server answered",
  ]),
  row("Resources: Failed to fetch resource data, with Try Again", said("Failed to fetch resource data"), [
    `${E2E}/resources.spec.ts`,
    "what cannot be measured is said, and tried again",
  ]),
  row(
    "Logs: no message when deleting fails; ruled otherwise: the dialog stays open, as specified, and says what failed",
    [`${SERVER}/logs.test.ts`, "leaves all lines, keeps the question open and says so"],
  ),
  row(
    "Rendering fails: Something went wrong.Kindly reload the page",
    said("Something went wrong.Kindly reload the page"),
    [`${SERVER}/log-and-errors.test.ts`, "shows the sentence and the request's id"],
  ),
  row(
    "Access: the Access Denied page on /unauthorized",
    said("You don't have permission to access this page."),
    [`${SERVER}/specified-routes.test.ts`, "Access Denied says why and where to go"],
  ),
  row(
    "Push, for the console, the sentence alone: Browser does not support notifications or service workers",
    said("Browser does not support notifications or service workers"),
  ),
  row(
    "Push, for the console, the sentence alone: Notification permission denied",
    said("Notification permission denied"),
  ),
  row(
    "Push, alert when it cannot be set up: Failed to set up notifications. Please ensure ...",
    said("Failed to set up notifications."),
    broken,
  ),
  row(
    "Push, alert when it is denied: Notification permission denied. Please enable ...",
    said("Notification permission denied. Please enable"),
    [`${E2E}/push.spec.ts`, "that the browser refuses say where to allow them"],
  ),
  row(
    "Push, alert otherwise: Failed to enable notifications. Please try again.",
    said("Failed to enable notifications. Please try again."),
    [`${E2E}/push-refused.spec.ts`, "a browser that cannot even ask for push messages says so"],
  ),
  row(
    "Push, for the console: No FCM token received, Failed to save token",
    said("No FCM token received"),
    said("Failed to save token"),
    broken,
  ),
  row("Logged only: Failed to fetch tenants", [
    `${SERVER}/notifications.test.ts`,
    "works without the companies when they cannot be read, which is logged alone",
  ]),
  row("Error sending test email: is logged; the operator also reads what the mail server said", [
    `${SERVER}/google.test.ts`,
    "sends from the mailbox of GMAIL_USER, and shows the operator what Google says",
  ]),
  row("Logged only: a resource check that fails", [
    "tests/contracts/resources.test.ts",
    "says that it failed, logs that once, and goes on",
  ]),
  row("Errors in a red banner with an alert icon, success in a green one with a check", [
    "app/components/banner.test.tsx",
    "has its role, its colour and its icon",
  ]),
];
