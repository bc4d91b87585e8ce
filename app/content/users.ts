import { formatCount, grouped } from "~/lib/format-number";

export const passwordMessages = {
  mismatch: "New passwords don't match",
  failed: "Failed to reset password",
  exception: "An error occurred. Please try again.",
  /** The account endpoint's messages: the page shows its failure, the log its success. */
  endpoint: { updated: "Password updated successfully", notUpdated: "Failed to update password" },
  temporary:
    "You logged in with a temporary password. Choose your own password to open the rest of the back office.",
  atLeast: (minLength: number) => `At least ${grouped(minLength)} characters.`,
  fields: {
    "current-missing": "Please enter the password you logged in with.",
    "current-wrong": "This is not your current password. Please enter the one you logged in with.",
    "next-missing": "Please choose a new password.",
    "next-same": "This is the password you have now. Please choose another one.",
    "confirm-missing": "Please enter the new password a second time.",
    "confirm-differs": "Please enter the new password again, exactly as above.",
  },
  /** The violations of the password policy. */
  problems: (minLength: number) => ({
    "too-short": `Please use at least ${grouped(minLength)} characters.`,
    "too-long": "Please use at most 1,000 characters.",
    common:
      "This is one of the 20,000 most common passwords, which attackers try first. Please choose another one.",
    brand: "This is the product's name, which attackers try first. Please choose another password.",
  }),
  throttled: "Too many attempts. Nothing was changed; please wait 15 minutes.",
  busy: "The server is busy. Nothing was changed; please try again in a moment.",
  signedOut:
    "Your account was removed or its password replaced in the meantime. Nothing was changed; please log in again.",
} as const;

export const userMessages = {
  title: "User Management",
  addTitle: "Add a user",
  email: "Email Address",
  fullName: "Full Name",
  add: "Add New User",
  adding: "Adding...",
  note: "New users must change their password on first login. The temporary password is shown after creation, once.",
  seeAll: "See all users",
  total: (count: number) => `${formatCount(count, "account")}.`,
  missing: "Please provide both email and full name",
  addFailed: "Failed to add user. Please try again.",
  addFailedAdvice: "Nothing was saved. What you typed is still here.",
  created: "User created successfully",
  createFailed: "Failed to create user",
  emailTaken: (email: string) =>
    `There is already an account for ${email}. If its password is lost, reissue a temporary one in the list of users.`,
  reissued: "Temporary password reissued",
  reissueFailed: "The temporary password was not reissued",
  cannotRemove: "Cannot remove superadmin users",
  issuedTitle: (name: string, email: string) => `Temporary password for ${name} (${email})`,
  issuedUntil: "Valid until",
  issuedAdvice: "Share it privately. It is not stored and will not be shown again.",
  issuedHides: "Hidden after 5 seconds unless you hover, focus or copy it.",
  issuedHidden:
    "The temporary password is hidden again. If you did not save it, reissue one in the list of users.",
  listTitle: "Users",
  you: "you",
  columns: { user: "User", lastLogin: "Last login", created: "Created", state: "Status", actions: "Actions" },
  never: "never",
  createdAt: "created",
  states: {
    active: "active",
    notYet: "has not logged in yet",
    notYetExpires: "has not logged in yet, password expires",
    temporary: "has a temporary password",
    temporaryExpires: "has a temporary password, which expires",
    expired: "temporary password expired",
  },
  protections: {
    yourself: "Your own account cannot be removed.",
    superadmin: "Superadmins cannot be removed.",
    protected: "Protected by the server's settings, so it cannot be removed.",
  },
  /** Why a user keeps their password and second factor. */
  accessProtections: {
    yourself: "For your own account, use My account.",
    superadmin: "Only they themselves change the password and two-factor login of a superadmin.",
    protected: "Protected by the server's settings, so it stays as it is.",
  },
  reissue: "Reissue temporary password",
  remove: "Remove",
  promote: "Make superadmin",
  demote: "Make admin",
  roleUnchanged: "The role was not changed",
  roleProtections: {
    yourself: "Nobody changes their own role. Another superadmin can do it.",
    protected: "Protected by the server's settings, so it keeps its role.",
  },
  questions: {
    promote: {
      title: "Make this user a superadmin?",
      text: [
        "Superadmins add and remove users, change roles and see every API token.",
        "Nobody can remove a superadmin; another one can first make them an admin again.",
        "It applies at once, in every browser where they are logged in.",
      ],
      yes: "Make superadmin",
      no: "Keep as admin",
    },
    demote: {
      title: "Make this superadmin an admin?",
      text: [
        "User Management closes for them at once, in every browser where they are logged in.",
        "API tokens that they created as a superadmin stop working and do not come back.",
      ],
      yes: "Make admin",
      no: "Keep as superadmin",
    },
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
  },
} as const;
