import { data } from "@remix-run/node";
import { z } from "zod";
import { tokenMessages as copy } from "~/content/tokens";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { readPlace, sortedList } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { allValues, firstValues, parseForm, textField, type FormValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { listGrantableScopes, getExpiry, LIVES, TOKEN_SORTS } from "~/services/api-tokens/token";
import { apiTokens } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const newToken = z.object({
  name: textField({ label: "the name", max: 100, required: true }),
  life: z.enum(LIVES, { error: copy.lifeUnknown }),
});

export const tokensList = sortedList(TOKEN_SORTS);

type Errors = { name?: string; life?: string; scopes?: string };

/** Handles the page's buttons, by intent. */
export async function actOnTokens(request: Request, operator: SignedIn) {
  const form = await readForm(request);
  const { intent = "", token = "" } = firstValues(form);
  switch (intent) {
    case "create":
      return create(form, request, operator);
    case "revoke": {
      const isRevoked = await apiTokens.revoke(operator, token, getRequestOrigin(request));
      const { searchParams } = new URL(request.url);
      const { values } = tokensList.readLoosely(searchParams);
      return report(isRevoked ? "token-revoked" : "token-gone", paths.tokens, {
        ...values,
        ...readPlace(searchParams),
      });
    }
    default:
      return seeOther(paths.tokens);
  }
}

export type TokenAnswer = Exclude<Awaited<ReturnType<typeof actOnTokens>>, Response>["data"];

async function create(form: FormValues, request: Request, operator: SignedIn) {
  const { name = "", life = "" } = firstValues(form);
  const submitted = allValues(form, "scopes");
  const scopes = listGrantableScopes(operator.role).filter((scope) => submitted.includes(scope));
  const refuseToken = (advice: string, errors: Errors, status: number) =>
    refuse("token", { message: copy.notMade, advice, values: { name, life, scopes }, errors }, { status });

  const parsed = parseForm(newToken, form);
  if (!parsed.ok || scopes.length === 0) {
    const errors: Errors = parsed.ok ? {} : parsed.errors;
    if (scopes.length === 0) errors.scopes = copy.scopeMissing;
    return refuseToken(copy.incomplete, errors, 422);
  }
  const expiresAt = getExpiry(parsed.value.life, Date.now());
  const token = { name: parsed.value.name, scopes, expiresAt };
  const outcome = await apiTokens.create(operator, token, getRequestOrigin(request));
  if (outcome.ok) {
    // The one response that holds a token. It answers a POST, so nothing stores it (docs/decisions/0017).
    return data({ kind: "issued" as const, token: outcome.token, name: token.name, expiresAt });
  }
  switch (outcome.error) {
    case "signed-out":
      return seeOther(paths.login);
    case "no-scope":
      return refuseToken(copy.incomplete, { scopes: copy.scopeMissing }, 422);
    case "too-many":
      return refuseToken(copy.tooMany, {}, 409);
  }
}
