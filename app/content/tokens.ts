import type { Scope } from "~/services/api-tokens/scopes";
import type { Life, TokenState } from "~/services/api-tokens/token-life";

/** What the screen of the API tokens says. */
export const tokenMessages = {
  title: "API tokens",
  state: "Each program that calls this server has a token of its own, so that one can be ended alone.",
  /** Goes on with how long ago. */
  lastCall: "The last call came",
  newTitle: "Make a token",
  newNote: "Shown once, when it is made. It acts in your name and is over with your account.",
  name: "Name",
  namePlaceholder: "Newsletter on the intranet",
  expires: "Expires",
  lives: { "30-days": "In 30 days", "90-days": "In 90 days", "1-year": "In a year", never: "Never" },
  scopesTitle: "What it may do",
  scopes: {
    "email:send": { name: "Send mail", hint: "Send single mails, in the name of the team, to any address." },
    "broadcast:send": {
      name: "Send notifications",
      hint: "Send push notifications to all devices, an app's or a company's, and see how far they are.",
    },
    "tenants:read": { name: "Read companies", hint: "List the companies that use the application." },
    "signups:write": {
      name: "Pass on signups",
      hint: "Store signups and inquiries that people left on another page of the team.",
    },
    "logs:read": { name: "Read the log", hint: "Read the newest lines of the log, and write a test error." },
    "logs:delete": { name: "Delete the log", hint: "Delete all lines of the log." },
    "resources:read": {
      name: "Watch the server",
      hint: "See the server's resources, and have them measured.",
    },
    "accounts:manage": {
      name: "Manage users",
      hint: "List users, add them and give them other passwords. For superadmins alone.",
    },
  },
  scopeMissing: "Please tick at least one thing it may do.",
  lifeUnknown: "Please choose when it expires.",
  make: "Make Token",
  making: "Making...",
  notMade: "The token was not made",
  incomplete: "Nothing was stored, and what you typed is still here.",
  tooMany: "You have 50 tokens that work. Revoke one that is not used any more, then make this one again.",
  made: (name: string) => `The token ${name} is made`,
  madeAdvice: "Copy it now to where your program keeps its secrets: it will not be shown again.",
  madeUntil: "It works until",
  madeForever: "It works until you revoke it.",
  listTitle: "Tokens",
  columns: {
    token: "Token",
    scopes: "May",
    madeBy: "Made by",
    expires: "Expires",
    lastUsed: "Last used",
    state: "State",
    actions: "Actions",
  },
  you: "you",
  never: "never",
  notUsed: "not yet",
  states: { active: "works", expired: "expired", revoked: "revoked", demoted: "over with its owner's role" },
  revoke: "Revoke",
  revokeTitle: "Revoke this token?",
  revokeQuestion: [
    "The next call with it is refused, and the program that uses it stops working until it has another one.",
    "This action cannot be undone. The token stays in the list, as revoked.",
  ],
  keep: "Keep it",
  revokeYes: "Yes, Revoke Token",
  revoked: "The token is revoked. Its next call is refused.",
  gone: "That token was revoked or removed already. Nothing more was changed.",
  emptyTitle: "What will stand here",
  empty:
    "There is no token yet. Make one above and give it to a program, which can then send a mail like this:",
  howTitle: "How a program calls",
  how: "Every call carries its token. This one sends a mail:",
  /** Around the name of the file. */
  further: { before: "Answers, limits and how to repeat a call safely:", after: "in the source." },
} as const satisfies Catalogue;

/** Every scope, life and state has its words, or this does not compile. */
interface Catalogue {
  readonly scopes: Readonly<Record<Scope, { name: string; hint: string }>>;
  readonly lives: Readonly<Record<Life, string>>;
  readonly states: Readonly<Record<TokenState, string>>;
  readonly [other: string]: unknown;
}
