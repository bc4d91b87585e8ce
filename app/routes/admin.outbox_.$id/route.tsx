import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Download } from "lucide-react";
import { CodeBlock } from "~/components/code-block";
import { PageHeader } from "~/components/page-header";
import { ButtonLink } from "~/components/button-link";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { Tabs, TabsList, TabsTrigger } from "~/components/ui/tabs";
import { backOfficeTitle } from "~/components/use-brand";
import { outboxMessages as copy } from "~/content/outbox";
import { readOutboxEmail } from "~/http/outbox-email.server";
import { seeOther } from "~/http/redirects.server";
import { paths } from "~/paths";
import { access, outbox } from "~/services/container.server";

const VIEWS = ["html", "text", "headers", "source"] as const;

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view ? view.subject || copy.noSubject : copy.title) },
];

/** `?view=` selects the part; the HTML part by default. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const id = params.id ?? "";
  const email = await readOutboxEmail(outbox, id, operator);
  if (!email) throw seeOther(paths.outbox);
  const view = VIEWS.find((known) => known === new URL(request.url).searchParams.get("view")) ?? "html";
  const { subject, from, to, text, headers, source, links } = email;
  const shown = { html: "", text, headers, source: source ?? copy.sourceHidden }[view];
  return { id, view, subject, from, to, links, shown, isMasked: source === undefined };
}

/** One outbox email: as its reader sees it, as plain text, its headers, and its source. */
export default function OutboxEmail() {
  const { id, view, subject, from, to, links, shown, isMasked } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={subject || copy.noSubject}
        parent={{ to: paths.outbox, name: copy.list }}
        state={<bdi className="wrap-anywhere">{copy.between(from, to)}</bdi>}
        actions={
          isMasked ? undefined : (
            <ButtonLink reloadDocument to={paths.outboxFile(id)}>
              <Download aria-hidden />
              {copy.download}
            </ButtonLink>
          )
        }
      />
      <div className="flex flex-col gap-4">
        {isMasked ? <p className="max-w-[42.9em] text-muted-foreground">{copy.masked}</p> : null}
        <Tabs aria-label={copy.views}>
          <TabsList>
            {VIEWS.map((one) => (
              <TabsTrigger key={one} asChild aria-current={one === view ? "page" : undefined}>
                <Link to={paths.outboxEmail(id) + (one === "html" ? "" : `?view=${one}`)} preventScrollReset>
                  {copy.view[one]}
                </Link>
              </TabsTrigger>
            ))}
          </TabsList>
        </Tabs>
        {view === "html" ? (
          <iframe
            title={copy.frame}
            src={paths.outboxBody(id)}
            sandbox=""
            className="h-[32rem] w-full rounded-md border bg-card"
          />
        ) : (
          <CodeBlock label={copy.view[view]} className="wrap-anywhere whitespace-pre-wrap">
            {shown}
          </CodeBlock>
        )}
        {links.length > 0 ? (
          <Card>
            <CardHeader>
              <CardTitle>{copy.links}</CardTitle>
            </CardHeader>
            <CardContent className="pt-2">
              <ul className="flex flex-col gap-1">
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
