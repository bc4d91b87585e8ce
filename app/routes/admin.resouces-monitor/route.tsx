import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { RefreshCw } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ListLink } from "~/components/text-link";
import { useTimeZone } from "~/components/time-zone";
import { ExactTime, Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { resourceMessages as copy } from "~/content/resources";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { getLogsOfTime } from "~/http/lists/logs-list";
import { capitalize } from "~/lib/capitalize";
import { minutes } from "~/lib/durations";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { access, alerts, checkReadiness, resources } from "~/services/container.server";
import type { Neighbour } from "~/services/resources/history.server";
import type { Incident } from "~/services/resources/incidents.server";
import type { Measurement } from "~/services/resources/resource-probe";
import { Cards } from "./cards";
import { HistoryCard } from "./history";
import { getResourcesView } from "./resources-view.server";

/** The lines before an incident tell its cause; it begins half a minute after its limit was reached. */
const LEAD_MS = minutes(1);
/** The specification's interval (section 9). */
const REFRESH_SECONDS = 30;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  await alerts.open(operator.accountId, "incident");
  const view = await getResourcesView(new URL(request.url).searchParams, operator);
  return data(view, { status: view.latest.ok ? 200 : 503 });
}

/** Handles Refresh and Try Again by measuring now. The posted fields do not matter. */
export async function action({ request }: ActionFunctionArgs) {
  await access.requireAccount(request);
  await readForm(request);
  await Promise.all([resources.check(), checkReadiness()]);
  return seeOther(paths.resources + new URL(request.url).search);
}

export const clientAction = keepForm(() => ({ message: copy.failed }));

/** The System Resources Monitor: current values, history, and incidents. */
export default function ResourcesMonitor() {
  const view = useLoaderData<typeof loader>();
  const { latest } = view;
  const isRefreshing = useNavigation().formMethod === "POST";
  return (
    <>
      <AutoRefresh everySeconds={REFRESH_SECONDS} version={view.now} waitsWhileHidden />
      <Notice className="mb-4" />
      <PageHeader
        title={copy.title}
        state={latest.ok ? formatState(view.instance, latest.limitedTo) : undefined}
        actions={
          latest.ok ? (
            <CheckButton variant="outline" isBusy={isRefreshing}>
              {isRefreshing ? copy.refreshing : copy.refresh}
            </CheckButton>
          ) : null
        }
      />
      {latest.ok ? (
        <div
          aria-busy={isRefreshing}
          className={cn("flex flex-col gap-4 transition-opacity", isRefreshing && "opacity-60")}
        >
          <Cards
            resources={latest.resources}
            isContainerCpu={latest.limitedTo.cpu}
            notReady={view.notReady}
            isMeasuredByPlatform={view.isMeasuredByPlatform}
          />
          <HistoryCard history={view.history} rows={view.rows} />
          <IncidentList incidents={view.incidents} now={view.now} />
          <Neighbours neighbours={view.neighbours} now={view.now} />
          <Footer at={latest.at} />
        </div>
      ) : (
        <div className="flex max-w-3xl flex-col items-start gap-4">
          <Banner kind="error" title={copy.failed}>
            {copy.failedHint}
          </Banner>
          <CheckButton isBusy={isRefreshing}>{copy.tryAgain}</CheckButton>
        </div>
      )}
    </>
  );
}

type CheckButtonProps = { isBusy: boolean; variant?: "default" | "outline"; children: string };

function CheckButton({ isBusy, variant, children }: CheckButtonProps) {
  return (
    <Form method="post" preventScrollReset>
      <Button type="submit" name="intent" value="check" variant={variant} aria-disabled={isBusy}>
        <RefreshCw aria-hidden className={cn(isBusy && "animate-spin")} />
        {children}
      </Button>
    </Form>
  );
}

function Footer({ at }: { at: number }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
      <span>
        {copy.lastUpdated}: <ExactTime at={at} to="second" />
      </span>
      <span>{copy.autoRefresh}</span>
    </p>
  );
}

function formatState(instance: string, { memory, cpu }: Measurement["limitedTo"]): string {
  const measuredOn = copy.measuredOn(instance);
  if (!memory && !cpu) return measuredOn;
  const sources = memory && cpu ? "both" : memory ? "memory" : "cpu";
  return `${measuredOn} ${copy.inContainer[sources]}`;
}

/** Lists times of resource shortage on any server: lines on wide screens, cards on narrow ones. */
function IncidentList({ incidents, now }: { incidents: readonly Incident[]; now: number }) {
  const timeZone = useTimeZone();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.incidents.title}</CardTitle>
      </CardHeader>
      <CardContent className="pt-2">
        {incidents.length === 0 ? (
          <p className="max-w-[42.9em] text-sm text-muted-foreground">{copy.incidents.empty}</p>
        ) : (
          <ul aria-label={copy.incidents.title} className="divide-y">
            {incidents.map(({ id, kind, peak, instance, began_at, ended_at }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2 text-sm md:grid md:grid-cols-[minmax(0,1fr)_minmax(0,12rem)_11rem_11rem_5rem]"
              >
                <span className="w-full">{capitalize(copy.incidents.subject({ kind, peak }))}</span>
                <code className="font-mono text-xs wrap-anywhere text-muted-foreground">{instance}</code>
                <span className="text-xs text-muted-foreground">
                  {copy.incidents.began} <Timestamp at={began_at} now={now} />
                </span>
                {ended_at === null ? (
                  <span>
                    <Badge variant="warning">{copy.incidents.lasts}</Badge>
                  </span>
                ) : (
                  <span className="text-xs text-muted-foreground">
                    {copy.incidents.ended} <Timestamp at={ended_at} now={now} />
                  </span>
                )}
                <ListLink
                  to={getLogsOfTime({ from: began_at - LEAD_MS, until: ended_at ?? undefined }, timeZone)}
                  aria-label={copy.incidents.linesOf({ kind, peak })}
                  className="text-xs"
                >
                  {copy.incidents.lines}
                </ListLink>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

/** Lists the other instances on the same database, if there are any. */
function Neighbours({ neighbours, now }: { neighbours: readonly Neighbour[]; now: number }) {
  if (neighbours.length === 0) return null;
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.neighbours.title}</CardTitle>
        <CardDescription>{copy.neighbours.description}</CardDescription>
      </CardHeader>
      <CardContent className="pt-2">
        <ul aria-label={copy.neighbours.title} className="divide-y">
          {neighbours.map(({ instance, at, ...usage }) => (
            <li
              key={instance}
              className="flex flex-wrap items-baseline gap-x-5 gap-y-1 py-2 text-sm tabular-nums"
            >
              <code className="mr-auto font-mono text-xs wrap-anywhere">{instance}</code>
              {(["cpu", "memory", "disk"] as const).map((name) => (
                <span key={name}>
                  <span className="text-muted-foreground">{copy.history.names[name]}</span>{" "}
                  {copy.units.percent(usage[name])}
                </span>
              ))}
              <Timestamp at={at} now={now} className="text-xs text-muted-foreground" />
            </li>
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
