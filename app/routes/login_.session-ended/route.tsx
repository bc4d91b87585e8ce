import { data, type ActionFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useActionData } from "@remix-run/react";
import { CenteredCardLayout } from "~/components/centered-card-layout";
import { ButtonLink } from "~/components/button-link";
import { Button, buttonVariants } from "~/components/ui/button";
import { backOfficeTitle } from "~/components/use-brand";
import { sessionEndedMessages as copy } from "~/content/session-ended";
import { readForm } from "~/http/form-data.server";
import { getReturnPath } from "~/http/redirects.server";
import { paths } from "~/paths";

/** Passwords and codes that were typed must be typed again: no page repeats them. */
const NOT_REPEATED = ["password", "currentPassword", "newPassword", "confirmPassword", "code"];

export { serifLinks as links } from "~/fonts/serif-preload";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

/**
 * Receives, by a redirect that keeps the method, a form of the back office whose session has ended
 * (access.server.ts), and responds with its fields, to be sent again after a login in another tab. Stores
 * nothing of it.
 */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request);
  const action = getReturnPath(request);
  // New recovery codes, on the way to their file, are shown nowhere else again.
  const isFile = action === paths.recoveryCodesFile;
  const fields = Object.entries(form)
    .filter(([name]) => isFile || !NOT_REPEATED.includes(name))
    .flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
  return data({ action, fields }, { status: 403 });
}

export default function SessionEnded() {
  const kept = useActionData<typeof action>();
  return (
    <CenteredCardLayout title={copy.title}>
      {kept ? (
        <>
          <p role="status">{copy.kept}</p>
          <a
            href={paths.login}
            target="_blank"
            rel="noreferrer"
            className={buttonVariants({ variant: "outline", className: "w-full", size: "lg" })}
          >
            {copy.logIn}
          </a>
          {/* As a document: a browser that gets no answer can send it again. */}
          <Form method="post" action={kept.action} reloadDocument className="-mt-2">
            {kept.fields.map(({ name, value }, index) => (
              <input key={index} type="hidden" name={name} value={value} />
            ))}
            <Button size="lg" type="submit" className="w-full">
              {copy.continue}
            </Button>
          </Form>
        </>
      ) : (
        <ButtonLink to={paths.login} variant="default" size="lg" className="w-full">
          {copy.logInHere}
        </ButtonLink>
      )}
    </CenteredCardLayout>
  );
}
