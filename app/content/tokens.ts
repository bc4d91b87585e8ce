import type { Scope, Life, TokenState } from "~/services/api-tokens/token";

export const tokenMessages = {
  title: "API tokens",
  state: "Each program has its own token, so that each can be revoked separately.",
  /** Followed by a relative time. */
  lastCall: "Last call",
  newTitle: "Create a token",
  newNote:
    "A token is shown once, when it is created. It acts in your name and ends when your account is removed.",
  name: "Name",
  namePlaceholder: "Newsletter on the intranet",
  expires: "Expires",
  lives: { "30-days": "In 30 days", "90-days": "In 90 days", "1-year": "In a year", never: "Never" },
  scopesTitle: "Permissions",
  scopes: {
    "email:send": {
      name: "Send email",
      hint: "Send single emails, in the name of the team, to any address.",
    },
    "broadcast:send": {
      name: "Send notifications",
      hint: "Send push notifications to all devices, or to those of one app or company, and see their progress.",
    },
    "tenants:read": { name: "Read companies", hint: "List the companies that use the application." },
    "signups:write": {
      name: "Add signups",
      hint: "Store signups and inquiries from another page of the team.",
    },
    "logs:read": { name: "Read the log", hint: "Read the newest lines of the log, and write a test error." },
    "logs:delete": { name: "Delete the log", hint: "Delete all lines of the log." },
    "resources:read": { name: "Watch the server", hint: "See the server's resources, and measure them." },
    "accounts:manage": {
      name: "Manage users",
      hint: "List users, add them and reset their passwords. Superadmins only.",
    },
  },
  scopeMissing: "Please select at least one permission.",
  lifeUnknown: "Please choose when it expires.",
  make: "Create Token",
  making: "Creating...",
  notMade: "The token was not created",
  incomplete: "Nothing was saved. What you typed is still here.",
  tooMany: "You have 50 active tokens. Revoke one you no longer use, then try again.",
  made: (name: string) => `The token ${name} was created`,
  madeAdvice: "Copy it now into your program's secrets. It will not be shown again.",
  madeUntil: "Valid until",
  madeForever: "Valid until you revoke it.",
  listTitle: "Tokens",
  columns: {
    token: "Token",
    scopes: "Permissions",
    createdBy: "Created by",
    expires: "Expires",
    lastUsed: "Last used",
    state: "Status",
    actions: "Actions",
  },
  you: "you",
  never: "never",
  notUsed: "never",
  states: {
    active: "active",
    expired: "expired",
    revoked: "revoked",
    demoted: "ended when its owner's role changed",
  },
  revoke: "Revoke",
  question: {
    title: "Revoke this token?",
    text: [
      "Its next call is refused, and the program that uses it stops working until it has another token.",
      "This action cannot be undone. The token stays in the list, as revoked.",
    ],
    yes: "Yes, Revoke Token",
    no: "Keep it",
  },
  emptyTitle: "No tokens yet",
  empty: "Create one above and give it to a program, which can then send an email like this:",
  howTitle: "How to call the API",
  how: "Every call carries its token. This one sends an email:",
  /** Before and after the link to the file. */
  further: { before: "Responses, limits and safe retries:", after: "in the source." },
} as const satisfies Catalogue;

/** Requires wording for every scope, lifetime and state: a missing one does not compile. */
interface Catalogue {
  readonly scopes: Readonly<Record<Scope, { name: string; hint: string }>>;
  readonly lives: Readonly<Record<Life, string>>;
  readonly states: Readonly<Record<TokenState, string>>;
  readonly [other: string]: unknown;
}
