import { formatCount, grouped } from "~/lib/format-number";

/** Texts of the password page. */
export const passwordMessages = {
  mismatch: "New passwords don't match",
  failed: "Failed to reset password",
  exception: "An error occurred. Please try again.",
  /** The account endpoint's messages: the page shows its failure, the log its success. */
  endpoint: { updated: "Password updated successfully", notUpdated: "Failed to update password" },
  atLeast: (minLength: number) => `At least ${grouped(minLength)} characters.`,
  fields: {
    "current-missing": "Please enter the password you logged in with.",
    "current-wrong": "This is not your current password. Please enter the one you logged in with.",
  },
  /** The violations of the password policy. */
  problems: (minLength: number) => ({
    "too-short": `Please use at least ${grouped(minLength)} characters.`,
    "too-long": "Please use at most 1,000 characters.",
    common:
      "This is one of the 20,000 most common passwords, which attackers try first. Please choose another one.",
    brand: "This is the product's name, which attackers try first. Please choose another password.",
  }),
  busy: "The server is busy. Nothing was changed; please try again in a moment.",
} as const;

/** Texts of User Management. */
export const userMessages = {
  title: "User Management",
  seeAll: "See all users",
  total: (count: number) => `${formatCount(count, "person", "people")} can log in here.`,
  missing: "Please provide both email and full name",
  addFailed: "Failed to add user. Please try again.",
  created: "User created successfully",
  createFailed: "Failed to create user",
  cannotRemove: "Cannot remove superadmin users",
  protections: {
    yourself: "Your own account cannot be removed.",
    superadmin: "Superadmins cannot be removed.",
    protected: "Protected by the server's settings, so it cannot be removed.",
  },
  questions: {
    reissue: {
      title: "Reissue the temporary password?",
      text: [
        "Their password stops working at once, and all their sessions end.",
        "You will see a temporary password for them once. It is valid for 24 hours or until they choose their own.",
      ],
      yes: "Reissue temporary password",
      no: "Keep their password",
    },
    remove: {
      title: "Remove this user?",
      text: [
        "The account and its password are deleted, and all their sessions end.",
        "Their activity stays on record, and campaigns they confirmed are still sent.",
        "This action cannot be undone: if added again, the address becomes a new account with a new password.",
      ],
      yes: "Yes, Remove User",
      no: "Keep this user",
    },
    "reset-second-factor": {
      title: "Reset two-factor login?",
      text: [
        "Their app codes and recovery codes stop working; their password alone opens the account.",
        "Do this only if you are sure who asked. All their sessions end.",
      ],
      yes: "Yes, Reset It",
      no: "Keep it on",
    },
  },
} as const;
