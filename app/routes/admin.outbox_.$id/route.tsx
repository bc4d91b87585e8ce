import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { PageHeader } from "~/components/page-header";
import { ButtonLink } from "~/components/button-link";
import { Card, CardContent } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { outboxMessages as copy } from "~/content/outbox";
import { seeOther } from "~/http/redirects.server";
import { paths } from "~/paths";
import { access, outbox } from "~/services/container.server";

const VIEWS = ["html", "text", "headers", "source"] as const;

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: backOfficeTitle(view?.subject ?? copy.title) },
];

/** `?view=` selects the part; the HTML part by default. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const id = params.id ?? "";
  const email = await outbox?.parse(id);
  if (!email) throw seeOther(paths.outbox);
  const view = VIEWS.find((known) => known === new URL(request.url).searchParams.get("view")) ?? "html";
  const { subject, from, to, text, headers, source, links } = email;
  const shown = { html: "", text, headers, source }[view];
  return { id, view, subject, from, to, links, shown };
}

/** One outbox email: as its reader sees it, as plain text, its headers, and its source. */
export default function OutboxEmail() {
  const { id, view, subject, from, to, links, shown } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={subject || copy.noSubject}
        state={<bdi className="wrap-anywhere">{copy.between(from, to)}</bdi>}
        actions={
          <>
            <ButtonLink reloadDocument to={paths.outboxFile(id)}>
              <Download aria-hidden />
              {copy.download}
            </ButtonLink>
            <ButtonLink to={paths.outbox}>{copy.back}</ButtonLink>
          </>
        }
      />
      <div className="flex max-w-4xl flex-col gap-4">
        <nav aria-label={copy.views} className="border-b">
          <ul className="-mb-px flex flex-wrap gap-x-6">
            {VIEWS.map((one) => (
              <li key={one}>
                <Link
                  to={paths.outboxEmail(id) + (one === "html" ? "" : `?view=${one}`)}
                  preventScrollReset
                  aria-current={one === view ? "page" : undefined}
                  className="tab"
                >
                  {copy.view[one]}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {view === "html" ? (
          <iframe
            title={copy.frame}
            src={paths.outboxBody(id)}
            sandbox=""
            className="h-[32rem] w-full rounded-md border bg-card"
          />
        ) : (
          <pre
            // Wide lines scroll, also by keyboard.
            tabIndex={0}
            role="region"
            aria-label={copy.view[view]}
            className="overflow-x-auto rounded-md border bg-muted p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          >
            {shown}
          </pre>
        )}
        {links.length > 0 ? (
          <Card>
            <CardContent>
              <h2 className="text-xs font-medium text-muted-foreground">{copy.links}</h2>
              <ul className="mt-1 flex flex-col gap-1">
                {links.map((link) => (
                  <li key={link}>
                    <a
                      href={link}
                      target="_blank"
                      rel="noreferrer"
                      className="font-mono text-xs wrap-anywhere text-primary underline underline-offset-4"
                    >
                      {link}
                    </a>
                  </li>
                ))}
              </ul>
            </CardContent>
          </Card>
        ) : null}
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
