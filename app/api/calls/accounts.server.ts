import { z } from "zod";
import { operatorMessages } from "~/content/operator-messages";
import { getRequestOrigin } from "~/http/request-context.server";
import { isUuid } from "~/lib/uuid";
import type { PasswordProblem } from "~/services/accounts/password-policy.server";
import { accountEndpoint, passwordPolicy } from "~/services/container.server";
import { defineCall } from "../call.server";
import { address, limit, text } from "../fields";
import { withToken } from "../guards.server";
import { problem } from "../problem.server";

const guard = withToken("accounts:manage");
const time = z.iso.datetime();
const MAX_ACCOUNTS = 1000;

export const listAccounts = defineCall({
  method: "GET",
  path: "/api/accounts",
  name: "listAccounts",
  guard,
  summary: "List the accounts of the back office",
  description: "Newest first. For tokens of superadmins. No response contains a password.",
  query: z.object({
    limit: limit("The maximum number of accounts.", { max: MAX_ACCOUNTS }),
    after: z
      .string()
      .refine(isUuid, { error: "must be `next` of the previous response" })
      .optional()
      .meta({ description: "`next` of the previous response, for the following page." }),
  }),
  ok: z.object({
    status: z.literal("success"),
    data: z.array(
      z.object({
        email: z.string(),
        fullName: z.string(),
        role: z.enum(["admin", "superadmin"]),
        createdAt: time,
        lastLoginAt: time.nullable().meta({ description: "null before the first login." }),
      }),
    ),
    next: z.string().nullable().meta({ description: "For `after`; null on the last page." }),
  }),
  work: async ({ who, query }) => {
    const { accounts, next } = await accountEndpoint.list(who, query);
    const data = accounts.map(({ email, fullName, role, createdAt, lastLoginAt }) => ({
      email,
      fullName,
      role,
      createdAt: isoTime(createdAt),
      lastLoginAt: lastLoginAt === null ? null : isoTime(lastLoginAt),
    }));
    return { ok: { status: "success", data, next } };
  },
});

/** A password field; its minimum length is set in the environment. */
const password = (about: string) =>
  z
    .string({ error: "must be a text" })
    .meta({ description: about, minLength: passwordPolicy.minLength, maxLength: passwordPolicy.maxLength });

const createSchema = z.strictObject({
  operation: z.literal("create"),
  email: address("Of the account's owner."),
  fullName: text("Of the account's owner.", { max: 200 }),
  password: password("Valid for 24 hours, or until the person has chosen their own."),
  role: z.literal("admin", { error: 'must be "admin": superadmins are not created here' }),
});
const resetSchema = z.strictObject({
  operation: z.literal("resetPassword"),
  email: address("Whose password."),
  newPassword: password("Valid for 24 hours, or until the person has chosen their own."),
});

export const changeAccounts = defineCall({
  method: "POST",
  path: "/api/accounts",
  name: "changeAccounts",
  guard,
  summary: "Create an account, or reset the password of one",
  description:
    "For tokens of superadmins. Superadmins and PROTECTED_ACCOUNTS cannot be created or changed. A reset ends the account's sessions.",
  body: z.discriminatedUnion("operation", [createSchema, resetSchema], {
    error: 'must be "create" or "resetPassword"',
  }),
  ok: z.object({ status: z.literal("success"), message: z.string() }),
  refusals: ["account_exists", "unknown_account", "account_protected"],
  work: async ({ request, who, body }) => {
    const isCreating = body.operation === "create";
    const outcome = isCreating
      ? await accountEndpoint.create(who, body, getRequestOrigin(request))
      : await accountEndpoint.resetPassword(who, body, getRequestOrigin(request));
    if (outcome.ok) {
      const { users, password } = operatorMessages;
      return toSuccess(isCreating ? users.created : password.endpoint.updated);
    }
    return outcome.error === "wrong-password"
      ? toFieldProblem(isCreating ? "password" : "newPassword", outcome.problem)
      : problem(REFUSALS[outcome.error]);
  },
});

const REFUSALS = {
  "email-taken": "account_exists",
  "unknown-account": "unknown_account",
  protected: "account_protected",
  unauthorized: "superadmin_only",
} as const;

function toSuccess(message: string) {
  return { ok: { status: "success", message } } as const;
}

function toFieldProblem(field: string, code: PasswordProblem): Response {
  const sentence = operatorMessages.password.problems(passwordPolicy.minLength)[code];
  return problem("invalid_body", { fields: { [field]: sentence } });
}

const isoTime = (at: number): string => new Date(at).toISOString();
