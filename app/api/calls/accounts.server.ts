import { z } from "zod";
import { passwordMessages, userMessages } from "~/content/users";
import { readPage } from "~/http/list-state";
import { getRequestOrigin } from "~/http/request-context.server";
import { passwordPolicy, userManagement } from "~/services/container.server";
import { defineCall } from "../call.server";
import { address, after, limit, text, toTime } from "../fields";
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
  description: "Newest first. Needs a token of a superadmin. No response contains a password.",
  query: z.object({
    limit: limit("The maximum number of accounts.", { max: MAX_ACCOUNTS }),
    after: after(),
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
  work: async ({ caller, query: { after: before, limit } }) => {
    const { rows, next } = await readPage({ before }, limit, (page) => userManagement.list(caller, page));
    const data = rows.map(({ email, fullName, role, createdAt, lastLoginAt }) => ({
      email,
      fullName,
      role,
      createdAt: toTime(createdAt),
      lastLoginAt: lastLoginAt === null ? null : toTime(lastLoginAt),
    }));
    return { ok: { status: "success", data, next: next?.before ?? null } };
  },
});

const { minLength, maxLength } = passwordPolicy;

/**
 * A password chosen by the calling program, which therefore knows it: it is temporary, and logs in for a day at most,
 * until the account's owner chooses another one.
 */
const password = z
  .string({ error: "must be a string" })
  .superRefine((value, context) => {
    const violation = passwordPolicy.findProblem(value);
    if (!violation) return;
    context.addIssue({ code: "custom", message: passwordMessages.problems(minLength)[violation] });
  })
  .meta({
    description: "Valid for 24 hours, or until the person has chosen their own.",
    minLength,
    maxLength,
  });

const createSchema = z.strictObject({
  operation: z.literal("create"),
  email: address("Of the account's owner."),
  fullName: text("Of the account's owner.", { max: 200 }),
  password,
  role: z.literal("admin", { error: 'must be "admin": superadmins are not created here' }),
});
const resetSchema = z.strictObject({
  operation: z.literal("resetPassword"),
  email: address("The account whose password is reset."),
  newPassword: password,
});

export const changeAccounts = defineCall({
  method: "POST",
  path: "/api/accounts",
  name: "changeAccounts",
  guard,
  summary: "Create an account, or reset the password of one",
  description:
    "Needs a token of a superadmin. Superadmins and PROTECTED_ACCOUNTS cannot be created or changed. A reset ends the account's sessions.",
  body: z.discriminatedUnion("operation", [createSchema, resetSchema], {
    error: 'must be "create" or "resetPassword"',
  }),
  ok: z.object({ status: z.literal("success"), message: z.string() }),
  refusals: ["account_exists", "unknown_account", "account_protected"],
  work: async ({ request, caller, body }) => {
    const origin = getRequestOrigin(request);
    const outcome =
      body.operation === "create"
        ? await userManagement.addAccount(caller, body, origin)
        : await userManagement.resetPassword(caller, body, origin);
    if (!outcome.ok) return problem(REFUSALS[outcome.error]);
    const message = body.operation === "create" ? userMessages.created : passwordMessages.endpoint.updated;
    return { ok: { status: "success", message } } as const;
  },
});

const REFUSALS = {
  "email-taken": "account_exists",
  "unknown-account": "unknown_account",
  yourself: "account_protected",
  superadmin: "account_protected",
  protected: "account_protected",
  unauthorized: "superadmin_only",
} as const;
