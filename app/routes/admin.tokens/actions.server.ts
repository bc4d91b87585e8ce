import { data } from "@remix-run/node";
import { z } from "zod";
import { readForm } from "~/http/form-data.server";
import type { FormValues } from "~/lib/parse-form";
import { parseForm, textField, typed } from "~/lib/parse-form";
import type { NoticeCode } from "~/content/operator-messages";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/http/redirects.server";
import { originOf } from "~/http/request-context.server";
import { scopesFor } from "~/services/api-tokens/scopes";
import { expiryOf, LIVES } from "~/services/api-tokens/token-life";
import { apiTokens } from "~/services/container.server";
import type { SignedIn } from "~/services/sessions/sessions.server";

const copy = operatorMessages.tokens;

const newToken = z.object({
  name: textField({ label: "the name", max: 100, required: true }),
  life: z.enum(LIVES, { error: copy.lifeUnknown }),
});

/** What was typed into the form that was refused, and what was wrong with it. */
export interface RefusedToken {
  values: { name: string; life: string; scopes: readonly string[] };
  errors: { name?: string; life?: string; scopes?: string };
}

export type TokensAnswer =
  /** The one answer that holds a token. It is the answer to a POST, which nothing stores (docs/decisions/0017). */
  | { kind: "issued"; token: string; name: string; expiresAt: number | undefined }
  | { kind: "refused"; advice: string; form: RefusedToken };

/** The buttons of the page, by the name of what they do. */
export async function actOnTokens(request: Request, person: SignedIn) {
  const form = await readForm(request);
  const { intent = "", token = "" } = typed(form);
  if (intent !== "revoke") return make(form, request, person);
  const outcome = await apiTokens.revoke(person, token, originOf(request));
  return told(outcome.ok ? "token-revoked" : "token-gone");
}

async function make(form: FormValues, request: Request, person: SignedIn) {
  const { name = "", life = "" } = typed(form);
  const given = [form.scopes ?? []].flat();
  const scopes = scopesFor(person.role).filter((scope) => given.includes(scope));
  const values = { name, life, scopes };
  const parsed = parseForm(newToken, form);
  if (!parsed.ok || scopes.length === 0) {
    const errors = {
      ...(parsed.ok ? {} : parsed.errors),
      ...(scopes.length === 0 ? { scopes: copy.scopeMissing } : {}),
    };
    return refuse(copy.incomplete, { values, errors }, 422);
  }
  const expiresAt = expiryOf(parsed.value.life, Date.now());
  const outcome = await apiTokens.create(
    person,
    { name: parsed.value.name, scopes, expiresAt },
    originOf(request),
  );
  if (outcome.ok) {
    const { token, name, expiresAt } = outcome;
    return data<TokensAnswer>({ kind: "issued", token, name, expiresAt });
  }
  if (outcome.error === "signed-out") return seeOther(paths.login);
  return refuse(copy.tooMany, { values, errors: {} }, 409);
}

function refuse(advice: string, form: RefusedToken, status: number) {
  return data<TokensAnswer>({ kind: "refused", advice, form }, { status });
}

function told(notice: NoticeCode): Response {
  return seeOther(`${paths.tokens}?notice=${notice}`);
}
