import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { EmptyList } from "~/components/empty-list";
import { PageHeader } from "~/components/page-header";
import { PageLinks } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { access, signups } from "~/services/container.server";
import { Kinds } from "../admin.submissions.$kind/kinds";

const copy = operatorMessages.submissions;
const PAGE_SIZE = 25;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.unconfirmed) }];

/** `?before=` is the page after that id. */
export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const before = new URL(request.url).searchParams.get("before") ?? undefined;
  const [counts, unconfirmed, rows] = await Promise.all([
    signups.counts(),
    signups.countUnconfirmed(),
    signups.listUnconfirmed({ before, limit: PAGE_SIZE + 1 }),
  ]);
  return {
    counts,
    unconfirmed,
    rows: rows.slice(0, PAGE_SIZE),
    older: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1]?.id : undefined,
    isNewest: before === undefined,
    now: Date.now(),
  };
}

/** Signups for updates whose address nobody has confirmed yet (DOUBLE_OPT_IN). They are read here and settled by their owners. */
export default function Unconfirmed() {
  const { counts, unconfirmed, rows, older, isNewest, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.unconfirmedState(unconfirmed)} />
      <div className="flex flex-col gap-4">
        <Kinds counts={counts} unconfirmed={unconfirmed} />
        {rows.length === 0 ? (
          <EmptyList title={copy.noUnconfirmed} then={copy.noUnconfirmedText} />
        ) : (
          <section aria-label={copy.unconfirmed} className="rounded-lg border bg-surface">
            <p className="border-b px-4 py-3 text-muted-foreground">{copy.unconfirmedText}</p>
            <ul className="divide-y">
              {rows.map(({ id, name, email, created_at }) => (
                <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2">
                  <Link
                    to={paths.person(id)}
                    className="max-w-full min-w-0 truncate font-medium text-primary underline-offset-4 hover:underline max-md:underline"
                  >
                    <bdi>{name || email}</bdi>
                  </Link>
                  <bdi className="min-w-0 font-mono text-xs wrap-anywhere text-muted-foreground">{email}</bdi>
                  <span className="text-xs text-muted-foreground sm:ml-auto">
                    <Timestamp at={created_at} now={now} />
                  </span>
                </li>
              ))}
            </ul>
            <PageLinks
              title={copy.unconfirmed}
              entries="signups"
              newest={isNewest ? undefined : paths.submissionsUnconfirmed}
              older={
                older === undefined
                  ? undefined
                  : `${paths.submissionsUnconfirmed}?${new URLSearchParams({ before: older })}`
              }
              className="border-t px-4 py-2.5"
            />
          </section>
        )}
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
