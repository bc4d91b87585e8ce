import type { Scope } from "~/services/api-tokens/token";

/** What a token with a scope may do. */
export const scopeTexts: Readonly<Record<Scope, { name: string; hint: string }>> = {
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
};
