import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { useRef } from "react";
import styles from "~/back-office.css?url";
import { LazyToaster } from "~/components/lazy-toaster";
import { LoadingBar } from "~/components/loading-bar";
import { FRAME_NOTICES, Notice } from "~/components/notice";
import { SidebarInset, SidebarProvider } from "~/components/ui/sidebar";
import { useRestoredFocus } from "~/components/use-restored-focus";
import { TimeZoneProvider } from "~/components/time-zone";
import { useUserMirror } from "~/components/user-mirror";
import { logError } from "~/http/request-context.server";
import { toKnownZone } from "~/lib/zoned-time";
import { paths } from "~/paths";
import {
  access,
  alerts,
  appearanceCookie,
  broadcasts,
  getAllowance,
  getMailProblem,
  getNotReadyReason,
  inquiries,
  mirrors,
  outreach,
  quarantine,
  status,
} from "~/services/container.server";
import { AppSidebar } from "./app-sidebar";
import { getEntries, type LayoutData } from "~/components/shell/navigation";
import { useOverlays } from "./overlays";
import { StatusBar } from "./status-bar";
import { TopBar } from "./top-bar";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

/** Guards the layout alone: every screen in it is addressable by itself and guards itself. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireUser(request);
  const { email, fullName, role, timeZone, hasChosenTimeZone } = operator;
  const [
    appearance,
    openInquiries,
    quarantined,
    undecidedCopies,
    isUnreached,
    campaigns,
    notifications,
    allowance,
  ] = await Promise.all([
    appearanceCookie.read(request),
    withFallback(0, inquiries.countOpen(), "the open inquiries could not be counted"),
    withFallback(0, quarantine.count(), "the quarantine could not be counted"),
    withFallback(0, mirrors?.undecided() ?? Promise.resolve(0), "the rows of copies could not be counted"),
    withFallback(false, alerts.isUnreached(operator), "the alerts could not be looked up"),
    withFallback(NONE_ACTIVE, outreach.countUnderWay(), "the campaigns under way could not be counted"),
    withFallback(NONE_ACTIVE, broadcasts.countUnderWay(), "the notifications under way could not be counted"),
    withFallback(undefined, getAllowance(), "the emails of today could not be counted"),
  ]);
  return {
    operator: { email, fullName, role, setupPage: access.getRequiredSetupPage(operator) },
    appearance,
    timeZone,
    hasChosenTimeZone,
    waiting: {
      [paths.openInquiries]: openInquiries,
      [paths.quarantine]: quarantined,
      [paths.mirrors]: undecidedCopies,
      [paths.alerts]: isUnreached ? 1 : 0,
    },
    underWay: { campaigns, notifications },
    status,
    isUnreached,
    mailProblem: getMailProblem(),
    allowance,
    notReady: getNotReadyReason(),
  };
}

const NONE_ACTIVE = { active: 0, paused: 0 };

/** Returns `fallback` when the value cannot be read, because the layout and its screens work without it. */
function withFallback<Value>(fallback: Value, value: Promise<Value>, failure: string): Promise<Value> {
  return value.catch((err: unknown) => {
    logError(err, failure);
    return fallback;
  });
}

export default function AdminLayout() {
  const {
    operator,
    appearance,
    underWay,
    status,
    isUnreached,
    mailProblem,
    allowance,
    notReady,
    waiting,
    ...zone
  } = useLoaderData<typeof loader>();
  const timeZone = toKnownZone(zone.timeZone);
  const main = useRef<HTMLElement>(null);
  const entries = getEntries({ ...operator, ...status, waiting });
  const { shortcuts } = appearance;
  const hasLinks = operator.setupPage === undefined;
  const overlays = useOverlays({ entries, shortcuts, isOn: hasLinks });

  // Signed out in another tab: the guard redirects the next request to the login.
  useUserMirror();
  useRestoredFocus(main);

  return (
    <SidebarProvider open={appearance.rail === "wide"} className="flex-col">
      <a
        href="#main"
        className="fixed top-1.5 left-2 z-50 -translate-y-16 rounded-md bg-primary px-3 py-2 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <TopBar
        operator={operator}
        theme={appearance.theme}
        onSearch={hasLinks ? overlays.openSearch : undefined}
      />
      <div className="flex flex-1">
        <AppSidebar operator={operator} entries={entries} appearance={appearance} />
        <SidebarInset
          ref={main}
          id="main"
          tabIndex={-1}
          className="px-4 pt-4 pb-6 outline-none sm:px-6 lg:px-8"
        >
          <LoadingBar />
          <Notice only={FRAME_NOTICES} className="mb-6 max-w-4xl" />
          <TimeZoneProvider value={timeZone}>
            <Outlet context={{ entries, shortcuts } satisfies LayoutData} />
          </TimeZoneProvider>
        </SidebarInset>
      </div>
      <StatusBar
        status={status}
        mailProblem={mailProblem}
        isUnreached={isUnreached}
        allowance={allowance}
        underWay={underWay}
        notReady={notReady}
        timeZone={timeZone}
        hasChosenTimeZone={zone.hasChosenTimeZone}
        hasLinks={hasLinks}
      />
      {/* Clear of the bars. */}
      <LazyToaster className="top-15 sm:bottom-11" />
      {overlays.element}
    </SidebarProvider>
  );
}
