import { z } from "zod";
import { waves } from "~/services/container.server";
import type { JoinProblem, JoinResult } from "~/services/waves/joins.server";
import { defineCall } from "../call.server";
import { address, text, toTime } from "../fields";
import { withToken } from "../guards.server";
import { problem, problems, type ProblemCode } from "../problem.server";

const guard = withToken("invitations:write");
/** Reports in one call; the service stores them in pieces. */
const MAX_JOINS = 1000;

const codeField = text("The code that came with the link: what INVITE_URL has in the place of {code}.", {
  max: 200,
});

const EXAMPLE_CODE = "019a8c3e-5a00-7000-8000-000000000001_1.Ue3Zr0a8l9bq0w8p0d3JmA";

export const verifyInvitation = defineCall({
  method: "POST",
  path: "/api/invitations/verify",
  name: "verifyInvitation",
  guard,
  summary: "Check the code of an invitation",
  description:
    "Changes nothing, however often it is asked. Ask at sign-up, and let in who has a valid code; then report who joined.",
  body: z.strictObject({ code: codeField }),
  ok: z.object({
    valid: z.boolean(),
    reason: z.enum(["unknown", "revoked", "expired", "joined"]).nullable().meta({
      description: "Why it is not valid; null when it is.",
    }),
    email: z.string().nullable().meta({ description: "The invited address; null for an unknown code." }),
    name: z.string().nullable(),
    wave: z.int().nullable().meta({ description: "Number of the wave that invited them." }),
    expiresAt: z.iso.datetime().nullable().meta({ description: "null: it does not expire." }),
  }),
  examples: {
    body: { code: EXAMPLE_CODE },
    ok: {
      valid: true,
      reason: null,
      email: "ada@example.com",
      name: "Ada Byron",
      wave: 3,
      expiresAt: "2026-12-21T08:00:00.000Z",
    },
  },
  refusals: ["invitations_not_configured"],
  work: async ({ body: { code } }) => {
    if (!waves) return problem("invitations_not_configured");
    const { state, invited } = await waves.links.verify(code);
    const { email = null, name = null, wave = null, expiresAt = null } = invited ?? {};
    return {
      ok: {
        valid: state === "valid",
        reason: state === "valid" ? null : state,
        email,
        name,
        wave,
        expiresAt: expiresAt === null ? null : toTime(expiresAt),
      },
    };
  },
});

const PROBLEMS = {
  unknown_code: "unknown_code",
  revoked: "invitation_revoked",
  expired: "invitation_expired",
  already_joined: "already_joined",
  other_address: "other_address",
  address_needed: "address_needed",
  unknown_address: "unknown_address",
} as const satisfies Record<JoinProblem, ProblemCode>;
const CODES = Object.values(PROBLEMS);

const joinFields = {
  code: codeField.optional(),
  email: address(
    "The address of the account. Without a code it says who joined; with one it may be another than the invited one, which is recorded.",
  ).optional(),
};
const NAME_ONE = "name who joined by `code`, `email` or both";
const join = z.strictObject(joinFields).superRefine(({ code, email }, context) => {
  if (code !== undefined || email !== undefined) return;
  context.addIssue({ code: "custom", path: ["code"], message: NAME_ONE });
});
const listRule = { error: "must be a list of 1 to 1,000" };

const joined = {
  new: z.boolean().meta({ description: "false: it was reported before, and nothing changed." }),
  email: z.string().meta({ description: "The address by which the person is known here." }),
  wave: z.int().nullable().meta({ description: "Number of their wave; null: nobody invited them." }),
  joinedAt: z.iso.datetime(),
};
const JOINED = { new: true, email: "ada@example.com", wave: 3, joinedAt: "2026-11-28T08:00:00.000Z" };

export const reportJoined = defineCall({
  method: "POST",
  path: "/api/invitations/joined",
  name: "reportJoined",
  guard,
  summary: "Report who joined the application",
  description:
    "By code, by address or by both, one or a list; repeating it with the same members changes nothing. Whoever joined without an invitation is left out of later waves.",
  body: z
    .strictObject({
      ...joinFields,
      people: z
        .array(join, listRule)
        .min(1, listRule)
        .max(MAX_JOINS, listRule)
        .optional()
        .meta({ description: "Several at once, in the place of `code` and `email`." }),
    })
    .superRefine(({ code, email, people }, context) => {
      const isOne = code !== undefined || email !== undefined;
      if (isOne !== (people !== undefined)) return;
      const message = people ? "must be left out beside `code` or `email`" : NAME_ONE;
      context.addIssue({ code: "custom", path: [people ? "people" : "code"], message });
    }),
  ok: z.object({
    status: z.literal("success"),
    ...z.object(joined).partial().shape,
    results: z
      .array(
        z.object({
          result: z.enum(["joined", "refused"]),
          ...z.object(joined).partial().shape,
          code: z.enum(CODES).optional().meta({ description: "Why it is refused, for programs." }),
          message: z.string().optional().meta({ description: "The same, for people." }),
        }),
      )
      .optional()
      .meta({ description: "For a list: one for each, in their order." }),
  }),
  examples: {
    body: { people: [{ code: EXAMPLE_CODE, email: "ada@example.com" }, { email: "nobody@example.com" }] },
    ok: {
      status: "success",
      results: [
        { result: "joined", ...JOINED },
        { result: "refused", code: "unknown_address", message: problems.unknown_address[1] },
      ],
    },
  },
  refusals: ["invitations_not_configured", ...CODES],
  work: async ({ body: { people, ...one } }) => {
    if (!waves) return problem("invitations_not_configured");
    const results = await waves.joins.record(people ?? [one]);
    if (people) {
      const ofList = results.map((result) => {
        if (result.ok) return { result: "joined" as const, ...toJoined(result) };
        const code = PROBLEMS[result.error];
        return { result: "refused" as const, code, message: problems[code][1] };
      });
      return { ok: { status: "success", results: ofList } } as const;
    }
    const [result] = results;
    if (!result?.ok) return problem(PROBLEMS[result?.error ?? "unknown_code"]);
    return { ok: { status: "success", ...toJoined(result) } } as const;
  },
});

function toJoined({ isNew, email, wave, joinedAt }: Extract<JoinResult, { ok: true }>) {
  return { new: isNew, email, wave, joinedAt: toTime(joinedAt) };
}
