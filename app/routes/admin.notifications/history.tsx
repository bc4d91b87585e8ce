import { Link } from "@remix-run/react";
import { ListedStats } from "~/components/listed-stats";
import { Cell, Head } from "~/components/list-parts";
import { PageLinks } from "~/components/page-links";
import { CampaignStateBadge } from "~/components/campaign-state-badge";
import { Timestamp } from "~/components/timestamp";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { pausedBy } from "~/content/outreach-pace";
import { paths } from "~/paths";
import type { NotificationsView } from "./notifications-view.server";

const { history: copy, audiences } = operatorMessages.notifications;
const { columns } = copy;

/** What was sent, newest first. On small screens the columns after the title and the state make room. */
export function History(props: Pick<NotificationsView, "history" | "older" | "isNewest" | "now">) {
  const { history, older, isNewest, now } = props;
  return (
    <section aria-labelledby="history" id="sent" className="scroll-mt-16">
      <h2 id="history" className="mb-2 text-sm font-semibold">
        {copy.title}
      </h2>
      {history.length === 0 && isNewest ? (
        <Card className="px-4 py-10 text-center">
          <p className="font-medium">{copy.emptyTitle}</p>
          <p className="mx-auto mt-2 max-w-[52ch] text-muted-foreground">{copy.empty}</p>
        </Card>
      ) : (
        <Card>
          <table className="w-full table-fixed text-left">
            <caption className="sr-only">{copy.title}</caption>
            <thead>
              <tr className="border-b bg-muted/60 text-2xs text-muted-foreground">
                <Head>{columns.title}</Head>
                <Head className="w-28">{columns.state}</Head>
                <Head className="hidden w-40 sm:table-cell">{columns.sent}</Head>
                <Head className="hidden w-52 md:table-cell">{columns.audience}</Head>
                <Head className="hidden w-56 xl:table-cell">{columns.by}</Head>
                <Head className="hidden w-49 lg:table-cell xl:w-79">{columns.at}</Head>
              </tr>
            </thead>
            <tbody className="divide-y">
              {history.map((sent) => (
                <tr key={sent.id} className="hover:bg-muted/60">
                  <Cell>
                    <Link
                      to={paths.broadcast(sent.id)}
                      title={sent.title}
                      className="block truncate font-medium underline-offset-4 hover:underline"
                    >
                      <bdi>{sent.title}</bdi>
                    </Link>
                    {/* There is no column for them on small screens. */}
                    <ListedStats {...sent.stats} className="text-xs text-muted-foreground sm:hidden" />
                    {sent.state === "paused" ? (
                      <span className="line-clamp-3 text-xs break-words text-muted-foreground">
                        {sent.trouble || pausedBy(sent.paused)}
                      </span>
                    ) : null}
                  </Cell>
                  <Cell>
                    <CampaignStateBadge state={sent.state} />
                  </Cell>
                  <Cell className="hidden sm:table-cell">
                    <ListedStats {...sent.stats} />
                  </Cell>
                  <Cell className="hidden truncate text-muted-foreground md:table-cell">
                    <bdi>{sent.tenant_name || audiences[sent.audience]}</bdi>
                  </Cell>
                  <Cell className="hidden truncate text-muted-foreground xl:table-cell">
                    <bdi title={sent.created_by}>{sent.created_by}</bdi>
                  </Cell>
                  <Cell className="hidden lg:table-cell">
                    <Timestamp at={sent.confirmed_at ?? 0} now={now} exact />
                  </Cell>
                </tr>
              ))}
            </tbody>
          </table>
          <PageLinks
            title={copy.title}
            newest={isNewest ? undefined : `${paths.notifications}#sent`}
            older={
              older === undefined
                ? undefined
                : `${paths.notifications}?${new URLSearchParams({ before: older })}#sent`
            }
            className="border-t px-4 py-2.5"
          />
        </Card>
      )}
    </section>
  );
}
