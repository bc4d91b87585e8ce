import { data } from "@remix-run/node";
import type { LinksFunction, MetaFunction } from "@remix-run/node";
import { Link } from "@remix-run/react";
import { Stage } from "~/components/stage";
import { buttonVariants } from "~/components/ui/button";
import { messages } from "~/content/messages";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { serifPreload } from "~/fonts/serif-preload";

const copy = messages.access;

export const links: LinksFunction = () => [serifPreload];

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.deniedTitle) }];

export function loader() {
  return data(null, { status: 403 });
}

export default function Unauthorized() {
  return (
    <Stage>
      <section className="w-full max-w-sm rounded-lg border bg-surface p-6 shadow-float sm:p-8">
        <p className="mb-2 text-xs text-muted-foreground">{copy.unauthorized}</p>
        <h1 className="font-display text-2xl tracking-tight">{copy.deniedTitle}</h1>
        <p className="mt-3">{copy.denied}</p>
        <Link
          reloadDocument
          to={paths.landing}
          className={buttonVariants({ variant: "secondary", className: "mt-6 w-full" })}
        >
          {copy.returnHome}
        </Link>
        <p className="mt-6 border-t pt-5 text-xs text-muted-foreground">{messages.login.help}</p>
      </section>
    </Stage>
  );
}
