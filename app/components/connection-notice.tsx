import { useBlocker, useLocation, useMatches, useRouteLoaderData, type Location } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { connection, useConnection } from "~/components/connection";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { isLandingPath } from "~/paths";

/** How long a message stays. */
const MESSAGE_MS = seconds(8);

/** Says quietly that the server does not answer, and keeps the page when another one cannot be fetched. For the root alone. */
export function ConnectionNotice() {
  const timeZone = useRouteLoaderData<{ timeZone: string }>("routes/admin")?.timeZone;
  const { lostSince, message } = useConnection();
  const text =
    message ?? (lostSince === undefined ? undefined : messages.connection.lost(toClock(lostSince, timeZone)));
  useStayWhileLost();
  const { pathname, search } = useLocation();
  useEffect(() => connection.show(pathname, search), [pathname, search]);
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => connection.tell(undefined), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  // Always rendered, and empty at first: content added to an existing live region is announced.
  return <div aria-live="polite">{text === undefined ? null : <Bubble key={text} text={text} />}</div>;
}

/**
 * "11:42" in the zone of the back office's screens, which they name; elsewhere "10:42 UTC". By Intl alone, because the
 * landing page loads this too, and `zonedClock` brings a library of time zones.
 */
function toClock(at: number, timeZone: string | undefined): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(at);
  try {
    if (timeZone !== undefined) return format(timeZone);
  } catch {
    // This browser does not know the zone.
  }
  return `${format("UTC")} UTC`;
}

/** React 18 has no type for this attribute. */
const TOP_LAYER = { popover: "manual" };

/** A popover, so that it is above an open dialog too. */
function Bubble({ text }: { text: string }) {
  const bubble = useRef<HTMLParagraphElement>(null);
  useEffect(() => bubble.current?.showPopover(), []);
  return (
    <p
      ref={bubble}
      {...TOP_LAYER}
      className="fixed inset-x-4 top-auto bottom-4 m-auto w-fit max-w-[calc(100vw-2rem)] rounded-md border bg-popover px-3.5 py-2.5 text-sm text-popover-foreground shadow-float sm:bottom-10"
    >
      {text}
    </p>
  );
}

/**
 * Keeps the page, and says so, when a link leads to one that cannot be fetched now; Remix would replace it by the
 * error page. A form may be sent all the same: its `clientAction` (keep-form.ts) reports that no answer came, and a filter,
 * whose fields say already what the list will show, waits for one.
 */
function useStayWhileLost(): void {
  const shown = useMatches();
  const isSendingForm = useRef(false);
  useEffect(() => {
    const begin = ({ target: form }: SubmitEvent) => {
      // A form for another route may have to fetch its code first; when that fails, Remix reloads the document.
      isSendingForm.current =
        form instanceof HTMLFormElement && isForShownRoute(form.getAttribute("action") ?? "", shown);
    };
    const end = () => {
      isSendingForm.current = false;
    };
    // Capturing, and at the end of bubbling: React submits the form in between, and the blocker is asked then.
    window.addEventListener("submit", begin, { capture: true });
    window.addEventListener("submit", end);
    return () => {
      window.removeEventListener("submit", begin, { capture: true });
      window.removeEventListener("submit", end);
    };
  }, [shown]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      connection.isLost() && !isSendingForm.current && needsServer(currentLocation, nextLocation),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    connection.tell(messages.connection.pageStays);
    blocker.reset();
  }, [blocker]);
}

/** Also the route of a list beside whose open row the page is. */
function isForShownRoute(action: string, shown: readonly { pathname: string }[]): boolean {
  const { href, pathname: here } = window.location;
  const { pathname } = new URL(action, href);
  const isLanding = isLandingPath(pathname) && isLandingPath(here);
  return isLanding || pathname === here || shown.some((match) => match.pathname === pathname);
}

/** The landing page opens its dialogs without a request, and every page its own parts. */
function needsServer(current: Location, next: Location): boolean {
  const isLanding = isLandingPath(current.pathname) && isLandingPath(next.pathname);
  const isSamePage = current.pathname === next.pathname && current.search === next.search;
  return !isLanding && !isSamePage;
}
