import { Link, useNavigate } from "@remix-run/react";
import { useId, useRef, useState, type ReactNode, type SyntheticEvent } from "react";
import { X } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { useBeforePaint } from "~/components/use-before-paint";
import { useHydrated } from "~/components/use-hydrated";
import { serifPreload } from "~/fonts/serif-preload";
import { cn } from "~/lib/utils";

type DialogPageProps = {
  title: string;
  description?: ReactNode;
  /** Target of Escape, the backdrop and the close link. */
  closeTo: string;
  children: ReactNode;
};

const FIRST_INVALID = "[aria-invalid=true]";
/** The control that gets the initial focus in a dialog without fields: Enter on it changes nothing. */
export const HARMLESS = "[data-harmless]";
const FIRST_CONTROL = "input:not([type=hidden], [tabindex='-1']), select, textarea, form button";

/**
 * A dialog addressed by URL, rendered open, which works without JavaScript (the page behind should be `inert`,
 * see useHydrated). With JavaScript it becomes modal: the focus goes to the first invalid control, else the
 * harmless answer, else the first control; Escape and the backdrop lead to `closeTo`, and the focus returns to
 * the link.
 */
export function DialogPage({ title, description, closeTo, children }: DialogPageProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);
  const titleId = useId();
  const navigate = useNavigate();
  // Only a dialog opened by a click is animated; one present at page load is not.
  const hydrated = useHydrated();
  const [enters] = useState(hydrated);

  useBeforePaint(() => {
    const element = dialog.current;
    if (!element) return;
    // The browser focuses an answer of a dialog present at page load, which no link of this page opened.
    const opener = element.contains(document.activeElement) ? document.body : document.activeElement;
    const { pathname, search } = window.location;
    element.removeAttribute("open");
    element.showModal();
    const first = [FIRST_INVALID, HARMLESS, FIRST_CONTROL].map((selector) =>
      element.querySelector<HTMLElement>(selector),
    );
    first.find((found) => found !== null)?.focus();
    return () => {
      element.close();
      const back = opener === document.body && !enters ? findLinkTo(pathname + search) : opener;
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, [enters]);

  const leave = () => {
    navigate(closeTo, { preventScrollReset: true });
  };
  const onCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    event.preventDefault();
    leave();
  };
  // Chrome closes on a second Escape whatever `cancel` says; a close from our clean-up finds it open again.
  const onClose = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (!event.currentTarget.open) leave();
  };

  return (
    <>
      <link {...serifPreload} />
      <div className={cn("fixed inset-0 z-40 bg-scrim", enters && "animate-fade")}>
        <Link to={closeTo} preventScrollReset tabIndex={-1} aria-hidden className="block size-full" />
      </div>
      <dialog
        ref={dialog}
        open
        aria-labelledby={titleId}
        onCancel={onCancel}
        onClose={onClose}
        onPointerDown={(event) => {
          pressedBackdrop.current = event.target === event.currentTarget;
        }}
        onClick={(event) => {
          if (pressedBackdrop.current && event.target === event.currentTarget) leave();
        }}
        className={cn(
          "fixed inset-4 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] w-auto max-w-xl overflow-y-auto overscroll-contain wrap-anywhere",
          "rounded-lg border bg-card p-0 text-foreground shadow-float backdrop:bg-transparent",
          enters && "animate-enter",
        )}
      >
        <div className="p-5 sm:p-8">
          <div className="flex items-start justify-between gap-4">
            <h2 id={titleId} className="font-display text-xl tracking-tight sm:text-2xl">
              {title}
            </h2>
            <ButtonLink
              to={closeTo}
              preventScrollReset
              aria-label="Close"
              variant="ghost"
              size="icon"
              className="-mt-1 -mr-2 text-muted-foreground"
            >
              <X aria-hidden />
            </ButtonLink>
          </div>
          {description ? <div className="mt-1.5 text-sm text-muted-foreground">{description}</div> : null}
          <div className="mt-6">{children}</div>
        </div>
      </dialog>
    </>
  );
}

/** Finds the first visible link that would have opened the dialog, for one that was open at page load. */
function findLinkTo(address: string): HTMLElement | undefined {
  return [...document.links].find((link) => link.getAttribute("href") === address && link.checkVisibility());
}
