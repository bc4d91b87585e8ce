import { expect, it } from "vitest";
import { messages } from "~/content/messages";
import { notices } from "~/content/notices";
import { tableMessages as table } from "~/content/lists";
import { logsMessages as logs } from "~/content/logs";
import { notificationMessages as notifications } from "~/content/notifications";
import { outreachMessages as outreach } from "~/content/outreach";
import { resourceMessages as resources } from "~/content/resources";
import { passwordMessages as password, userMessages as users } from "~/content/users";
import { pushMessages } from "~/content/push-messages";

const { login, access, signup } = messages;
const { alerts, foreground, internal } = pushMessages;

/** Sentences that the specification fixes word for word: section 8, and related ones of sections 2 and 3. */
it.each<[string, string]>([
  ["Invalid email or password", login.invalid],
  ["Login failed. Please try again.", login.serviceFailed],
  ["Login failed. Please try again later.", login.unexpected],
  ["Login successful!", login.success],
  ["If you need access, please contact an administrator.", login.help],
  ["No user logged in", notices["no-user"].text],
  ["Failed to reset password", password.failed],
  ["Failed to update password", password.endpoint.notUpdated],
  ["Password updated successfully", password.endpoint.updated],
  ["Password reset successfully", notices["password-changed"].text],
  ["An error occurred. Please try again.", password.exception],
  ["New passwords don't match", password.mismatch],
  ["Unauthorized", access.unauthorized],
  ["You don't have permission to access this page.", access.denied],
  ["Return to Home", access.returnHome],
  ["Failed to create user", users.createFailed],
  ["User created successfully", users.created],
  ["Please provide both email and full name", users.missing],
  ["Failed to add user. Please try again.", users.addFailed],
  ["Cannot remove superadmin users", users.cannotRemove],
  ["User removed successfully", notices["user-removed"].text],
  ["Something went wrong. Please try again.", signup.earlyAccess.failure],
  ["Something went wrong. Please try again.", signup.updates.failure],
  ["Successfully registered! Thank you.", signup.earlyAccess.success],
  ["Thanks for signing up! You'll hear from us soon.", signup.updates.success],
  ["Something went wrong. Please try again or email us directly.", signup.contact.failure],
  ["Thank you for your message! We'll get back to you soon.", signup.contact.success],
  ["Successfully sent to 7 devices", notifications.success(7, 0)],
  ["Successfully sent to 7 devices (2 failed)", notifications.success(7, 2)],
  ["Failed to send broadcast notification: why", notifications.failure("why")],
  ["Failed to send notification", notifications.failed],
  ["Emails sent successfully", outreach.sent],
  ["Error sending Emails", outreach.failed],
  ["Test email sent successfully!", notices["test-sent"].text],
  ["And 7 more recipients...", outreach.more(7)],
  ["7 more entries not shown. View on larger screen for complete data.", table.more(7)],
  ["Failed to fetch resource data", resources.failed],
  ["No logs available.", logs.none],
  ["Something went wrong.Kindly reload the page", messages.renderFailed],
  ["Browser does not support notifications or service workers", internal.unsupported],
  ["Notification permission denied", internal.denied],
  ["No FCM token received", internal.noToken],
  ["Failed to save token", internal.notSaved],
  [
    "Failed to set up notifications. Please ensure you're using a supported browser and try again.",
    alerts.setUpFailed,
  ],
  [
    "Notification permission denied. Please enable notifications in your browser settings to receive updates.",
    alerts.denied,
  ],
  ["Failed to enable notifications. Please try again.", alerts.failed],
  ["New Notification", foreground.title],
  ["You have a new message", foreground.body],
])('says "%s"', (sentence, said) => {
  expect(said).toBe(sentence);
});
