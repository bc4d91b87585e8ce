import { useBlocker, type Location } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { connection, useConnection } from "~/components/connection";
import { messages } from "~/content/messages";
import { seconds } from "~/lib/durations";
import { utcTime } from "~/lib/format-time";
import { paths } from "~/paths";

/** How long a message stays. */
const MESSAGE_MS = seconds(8);

/** Says quietly that the server does not answer, and keeps the page when another one cannot be fetched. For the root alone. */
export function ConnectionNotice() {
  const { lostSince, message } = useConnection();
  const text =
    message ?? (lostSince === undefined ? undefined : messages.connection.lost(toClock(lostSince)));
  useStayWhileLost();
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => connection.tell(undefined), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  // Always rendered, and empty at first: content added to an existing live region is announced.
  return <div aria-live="polite">{text === undefined ? null : <Bubble key={text} text={text} />}</div>;
}

/** "10:42 UTC", the zone of every screen. */
const toClock = (at: number): string => utcTime(at).slice(11);

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
      className="fixed inset-x-4 top-auto bottom-4 m-auto w-fit max-w-[calc(100vw-2rem)] rounded-md border bg-card px-3.5 py-2.5 text-sm text-foreground shadow-float sm:bottom-10"
    >
      {text}
    </p>
  );
}

/** Says so, instead of an error page, when a page is asked for that is known to be out of reach. */
function useStayWhileLost(): void {
  const isSendingForm = useRef(false);
  useEffect(() => {
    const begin = ({ target: form }: SubmitEvent) => {
      // Another path's route may have to be fetched first, which reloads the document when it fails.
      isSendingForm.current =
        form instanceof HTMLFormElement &&
        form.getAttribute("method") === "post" &&
        needsNoOtherRoute(form.getAttribute("action") ?? "");
    };
    const end = () => {
      isSendingForm.current = false;
    };
    // Around React's own listener: a form that is sent says itself that there was no answer (keep-form.ts).
    window.addEventListener("submit", begin, { capture: true });
    window.addEventListener("submit", end);
    return () => {
      window.removeEventListener("submit", begin, { capture: true });
      window.removeEventListener("submit", end);
    };
  }, []);
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

function needsNoOtherRoute(action: string): boolean {
  const { pathname } = new URL(action, window.location.href);
  const isLanding = LANDING.includes(pathname) && LANDING.includes(window.location.pathname);
  return isLanding || pathname === window.location.pathname;
}

const LANDING: readonly string[] = [paths.landing, paths.earlyAccess, paths.updates, paths.contact];

/** The landing page opens its dialogs without a request, and every page its own parts. */
function needsServer(current: Location, next: Location): boolean {
  const isLanding = LANDING.includes(current.pathname) && LANDING.includes(next.pathname);
  const isSamePage = current.pathname === next.pathname && current.search === next.search;
  return !isLanding && !isSamePage;
}
