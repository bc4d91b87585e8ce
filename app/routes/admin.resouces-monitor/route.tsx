import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { Banner } from "~/components/banner";
import { RefreshCw } from "~/components/icons";
import { PageHeader } from "~/components/page-header";
import { Button } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { resourceMessages as copy } from "~/content/resources";
import { readForm } from "~/http/form-data.server";
import { seeOther } from "~/http/redirects.server";
import { cn } from "~/lib/class-names";
import { seconds } from "~/lib/durations";
import { utcSecond } from "~/lib/format-time";
import { paths } from "~/paths";
import { access, resources } from "~/services/container.server";
import type { Measurement } from "~/services/resources/resource-probe";
import { Cards } from "./cards";
import { HistoryCard } from "./history";
import { getResourcesView } from "./resources-view.server";
import { IncidentList, Neighbours } from "./servers";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await getResourcesView(new URL(request.url).searchParams);
  return data(view, { status: view.latest.ok ? 200 : 503 });
}

/** Handles Refresh and Try Again by measuring now. The posted fields do not matter. */
export async function action({ request }: ActionFunctionArgs) {
  await access.requireAccount(request);
  await readForm(request);
  await resources.check();
  return seeOther(paths.resources + new URL(request.url).search);
}

/** The System Resources Monitor: current values, history, and incidents. */
export default function ResourcesMonitor() {
  const view = useLoaderData<typeof loader>();
  const { latest } = view;
  useAutoRefresh();
  const isRefreshing = useNavigation().formMethod === "POST";
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
      <PageHeader
        title={copy.title}
        state={latest.ok ? formatState(view.instance, latest.limitedTo) : undefined}
        actions={
          latest.ok ? (
            <CheckButton variant="secondary" isBusy={isRefreshing}>
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
          <Cards resources={latest.resources} isContainerCpu={latest.limitedTo.cpu} />
          <HistoryCard history={view.history} />
          <IncidentList incidents={view.incidents} now={view.now} />
          <Neighbours neighbours={view.neighbours} now={view.now} />
          <Footer at={latest.at} />
        </div>
      ) : (
        <div className="flex max-w-3xl flex-col items-start gap-4">
          <Banner kind="error" className="w-full">
            <p className="font-medium">{copy.failed}</p>
            <p className="text-muted-foreground">{copy.failedHint}</p>
          </Banner>
          <CheckButton isBusy={isRefreshing}>{copy.tryAgain}</CheckButton>
        </div>
      )}
    </>
  );
}

type CheckButtonProps = { isBusy: boolean; variant?: "primary" | "secondary"; children: string };

function CheckButton({ isBusy, variant, children }: CheckButtonProps) {
  return (
    <Form method="post" preventScrollReset>
      <Button type="submit" name="intent" value="check" variant={variant} size="dense" aria-disabled={isBusy}>
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
        {copy.lastUpdated}: <time dateTime={new Date(at).toISOString()}>{utcSecond(at)}</time>
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

/** The specification's interval (section 9). */
const REFRESH_SECONDS = 30;

/** Reloads the data every 30 seconds while nothing else is loading; a hidden tab when it is shown again. */
function useAutoRefresh(): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  useEffect(() => {
    if (!isIdle) return;
    let isDue = false;
    const refresh = () => {
      if (isDue && document.visibilityState === "visible") void revalidate();
    };
    const timer = setTimeout(() => {
      isDue = true;
      refresh();
    }, seconds(REFRESH_SECONDS));
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [isIdle, revalidate]);
}

export { Failure as ErrorBoundary } from "~/components/failure";
