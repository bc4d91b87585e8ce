import { brand } from "./brand";

/**
 * The catalogue: every sentence the specification fixes (its sections 2 and 8), word for word, and the product's own
 * answers to a code. Services return codes; this is where they become sentences.
 */
export const messages = {
  login: {
    invalid: "Invalid email or password",
    serviceFailed: "Login failed. Please try again.",
    unexpected: "Login failed. Please try again later.",
    success: "Login successful!",
    help: "If you need access, please contact an administrator.",
  },
  access: { denied: "You don't have permission to access this page.", returnHome: "Return to Home" },
  renderFailed: "Something went wrong.Kindly reload the page",
  signup: {
    earlyAccess: {
      success: "Successfully registered! Thank you.",
      failure: "Something went wrong. Please try again.",
    },
  },
  outreach: {
    testSent: "Test email sent successfully!",
    sent: "Emails sent successfully",
    failed: "Error sending Emails",
    defaultTestSubject: `Test Email from ${brand.name}`,
    cannotBeUndone: "This action cannot be undone.",
    confirmQuestion: "Are you sure you want to proceed?",
    confirm: (recipients: number) =>
      `You are about to send an email to ${recipients.toLocaleString("en")} ${recipients === 1 ? "recipient" : "recipients"}.`,
    more: (count: number) => `And ${count.toLocaleString("en")} more recipients...`,
  },
  password: {
    mismatch: "New passwords don't match",
    noUser: "No user logged in",
    success: "Password reset successfully",
    failed: "Failed to reset password",
    exception: "An error occurred. Please try again.",
  },
  table: {
    more: (count: number) =>
      `${count.toLocaleString("en")} more entries not shown. View on larger screen for complete data.`,
  },
} as const;
