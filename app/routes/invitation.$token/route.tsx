import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { ButtonLink } from "~/components/button-link";
import { EmailLinkPage } from "~/components/email-link-page";
import { FormField } from "~/components/form-field";
import { RefusalBanner } from "~/components/notice";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { getBrand, useBrand } from "~/components/use-brand";
import { invitationMessages } from "~/content/invitations";
import { passwordMessages } from "~/content/users";
import { refuse, report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getRequestOrigin } from "~/http/request-context.server";
import { parseForm, type FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import { invitations, passwordPolicy } from "~/services/container.server";

const copy = invitationMessages.page;

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction<typeof loader> = ({ data: page, matches }) => [
  { title: `${copy.titles[page?.state ?? "unknown"]} · ${getBrand(matches)?.name}` },
  { name: "robots", content: "noindex" },
];

export { passActionHeaders as headers } from "~/http/action-result.server";

const STATUS = { open: 200, used: 410, revoked: 410, expired: 410, unknown: 404, throttled: 429 } as const;

/** Shows the link's state and changes nothing of it: email scanners open links. */
export async function loader({ params, request }: LoaderFunctionArgs) {
  const link = await invitations.getLink(params.token ?? "", getRequestOrigin(request));
  const { state } = link;
  const email = link.state === "open" ? link.email : "";
  const lengths = { min: passwordPolicy.minLength, max: passwordPolicy.maxLength };
  return data({ state, email, lengths }, { status: STATUS[state] });
}

/** Passwords are taken as typed: never trimmed, never echoed. */
const password = (missing: string) => z.string(missing).min(1, missing);
const formSchema = z.object({
  newPassword: password(copy.missing),
  confirmPassword: password(copy.confirmMissing),
});
type Errors = FieldErrors<keyof z.infer<typeof formSchema>>;

/** Creates the account and leads to the login. A link that ended meanwhile is shown as that. */
export async function action({ params: { token = "" }, request }: ActionFunctionArgs) {
  const parsed = parseForm(formSchema, await readForm(request));
  if (!parsed.ok) return refusePassword(parsed.errors);
  const { newPassword, confirmPassword } = parsed.value;
  if (newPassword !== confirmPassword) {
    return refusePassword({ confirmPassword: passwordMessages.fields["confirm-differs"] });
  }
  const outcome = await invitations.accept(token, newPassword, getRequestOrigin(request));
  if (outcome.ok) return report("invitation-accepted", paths.login);
  switch (outcome.error) {
    case "throttled": {
      const { retryAfterSeconds } = outcome;
      const refusal = { message: copy.titles.throttled, advice: copy.throttled, errors: {} as Errors };
      return refuse("invitation", refusal, { status: 429, retryAfterSeconds });
    }
    case "used":
    case "revoked":
    case "expired":
    case "unknown":
      // The page shows the link's state.
      return refuse("invitation", { errors: {} as Errors }, { status: STATUS[outcome.error] });
    default: {
      const problem = passwordMessages.problems(passwordPolicy.minLength)[outcome.error];
      return refusePassword({ newPassword: problem });
    }
  }
}

function refusePassword(errors: Errors) {
  return refuse("invitation", { message: copy.refused, errors });
}

export default function Invitation() {
  const { state } = useLoaderData<typeof loader>();
  const brand = useBrand();
  return (
    <EmailLinkPage title={copy.titles[state]}>
      <p>{state === "open" ? copy.open(brand.name) : copy[state]}</p>
      {state === "open" ? <PasswordForm /> : null}
      {state === "used" ? (
        <ButtonLink to={paths.login} reloadDocument size="lg" className="self-start">
          {copy.login}
        </ButtonLink>
      ) : null}
    </EmailLinkPage>
  );
}

function PasswordForm() {
  const { email, lengths } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const fields = [
    ["newPassword", copy.password, passwordMessages.atLeast(lengths.min)],
    ["confirmPassword", copy.confirm, undefined],
  ] as const;
  return (
    <Form method="post" reloadDocument className="flex flex-col gap-5">
      {answer?.message ? <RefusalBanner refusal={answer} /> : null}
      <FormField label={copy.email}>
        {(control) => (
          // For password managers, which store a password under its account.
          <Input
            {...control}
            size="lg"
            type="email"
            name="username"
            value={email}
            autoComplete="username"
            readOnly
          />
        )}
      </FormField>
      {fields.map(([name, label, hint]) => (
        <FormField key={name} label={label} hint={hint} error={answer?.errors[name]}>
          {(control) => (
            <Input
              {...control}
              size="lg"
              required
              type="password"
              name={name}
              autoComplete="new-password"
              minLength={lengths.min}
              maxLength={lengths.max}
            />
          )}
        </FormField>
      ))}
      <Button size="lg" type="submit" className="self-start">
        {copy.accept}
      </Button>
    </Form>
  );
}
