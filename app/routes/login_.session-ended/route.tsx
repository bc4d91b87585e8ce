import type { ActionFunctionArgs, LinksFunction, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { Form, useActionData } from "@remix-run/react";
import { Stage } from "~/components/stage";
import { Button, buttonVariants } from "~/components/ui/button";
import { readForm } from "~/http/form-data.server";
import { adminPathFrom } from "~/lib/admin-path";
import { operatorMessages } from "~/content/operator-messages";
import { sessionEndedMessages as copy } from "~/content/session-ended";
import { paths } from "~/paths";
import { serifPreload } from "~/fonts/serif-preload";

/** Passwords and codes are typed again: no page repeats them. */
const NOT_REPEATED = ["password", "current", "next", "confirm", "code"];

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

/**
 * Receives, by a redirect that keeps the method, a form of the back office whose session has ended (access.server.ts), and
 * answers with its fields, to be sent again after a login in another tab. Nothing of it is stored.
 */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request);
  const fields = Object.entries(form)
    .filter(([name]) => !NOT_REPEATED.includes(name))
    .flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
  const action = adminPathFrom(new URL(request.url).searchParams.getAll("redirectTo"));
  return data({ action, fields }, { status: 403 });
}

export default function SessionEnded() {
  const kept = useActionData<typeof action>();
  return (
    <Stage>
      <section className="w-full max-w-sm rounded-lg border bg-surface p-6 shadow-float sm:p-8">
        <h1 className="font-display text-2xl tracking-tight">{copy.title}</h1>
        {kept ? (
          <>
            <p role="status" className="mt-3">
              {copy.kept}
            </p>
            <a
              href={paths.login}
              target="_blank"
              rel="noreferrer"
              className={buttonVariants({ variant: "secondary", className: "mt-6 w-full" })}
            >
              {copy.logIn}
            </a>
            <Form method="post" action={kept.action} className="mt-3">
              {kept.fields.map(({ name, value }, index) => (
                <input key={index} type="hidden" name={name} value={value} />
              ))}
              <Button type="submit" className="w-full">
                {copy.continue}
              </Button>
            </Form>
          </>
        ) : (
          <a href={paths.login} className={buttonVariants({ className: "mt-6 w-full" })}>
            {copy.logInHere}
          </a>
        )}
      </section>
    </Stage>
  );
}
