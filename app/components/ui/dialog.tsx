import { Link, useNavigate } from "@remix-run/react";
import { X } from "lucide-react";
import {
  createContext,
  useContext,
  useId,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type HTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
} from "react";
import { Button } from "~/components/ui/button";
import { useHydrated } from "~/components/use-hydrated";
import { useIsomorphicLayoutEffect } from "~/components/use-isomorphic-layout-effect";
import { cn } from "~/lib/utils";

type DivProps = ComponentPropsWithoutRef<"div">;

interface DialogState {
  closeTo: string | undefined;
  close: () => void;
  titleId: string;
  descriptionId: string;
  /** True for a dialog opened by a click: only that one is animated. */
  enters: boolean;
}

const DialogContext = createContext<DialogState | undefined>(undefined);

function useDialog(): DialogState {
  const state = useContext(DialogContext);
  if (!state) throw new Error("A part of a dialog is used outside of it.");
  return state;
}

export type DialogProps = {
  /** The address of the page without the dialog. With it everything that closes the dialog works without JavaScript. */
  closeTo?: string;
  /** For a dialog without an address: called with false when it was closed, and should be rendered no more. */
  onOpenChange?: (open: false) => void;
  children: ReactNode;
};

/** Open as long as it is rendered. What opens it is a link to its address, or a button. */
export function Dialog({ closeTo, onOpenChange, children }: DialogProps) {
  const navigate = useNavigate();
  const id = useId();
  const hydrated = useHydrated();
  const [enters] = useState(hydrated);
  const close = () => {
    if (closeTo === undefined) onOpenChange?.(false);
    else navigate(closeTo, { preventScrollReset: true });
  };
  const state = { closeTo, close, titleId: `${id}title`, descriptionId: `${id}description`, enters };
  return <DialogContext.Provider value={state}>{children}</DialogContext.Provider>;
}

/** A link to the page without the dialog, or a button where the dialog has no address. */
export function DialogClose(props: HTMLAttributes<HTMLElement>) {
  const { closeTo, close } = useDialog();
  return closeTo === undefined ? (
    <button type="button" data-slot="dialog-close" onClick={close} {...props} />
  ) : (
    <Link to={closeTo} preventScrollReset data-slot="dialog-close" {...props} />
  );
}

/** Shades the page behind the dialog; a press on it closes the dialog. */
export function DialogOverlay({ className, ...props }: DivProps) {
  const { closeTo, enters } = useDialog();
  return (
    <div
      data-slot="dialog-overlay"
      className={cn("fixed inset-0 z-50 bg-scrim", enters && "animate-fade", className)}
      {...props}
    >
      {closeTo === undefined ? null : (
        <Link to={closeTo} preventScrollReset tabIndex={-1} aria-hidden className="block size-full" />
      )}
    </div>
  );
}

/** Marks the control that gets the initial focus in a dialog without fields: Enter on it changes nothing. */
export const HARMLESS = "[data-harmless]";
const FIRST_INVALID = "[aria-invalid=true]";
const FIELD = "input, select, textarea";
const FIRST_CONTROL = "input:not([type=hidden], [tabindex='-1']), select, textarea, form button";

type DialogElementProps = ComponentPropsWithoutRef<"dialog">;

/**
 * The browser's own element under DialogContent, AlertDialogContent and SheetContent: Radix's dialog writes style
 * attributes and needs JavaScript. It is rendered open by the server (the page behind should be `inert`, see useInert).
 * With JavaScript it becomes modal: the focus stays in the field where a person is already, unless it is the first one, else it
 * goes to the first invalid control, else the harmless answer, else the first control; Escape and a press beside it close it, and
 * the focus returns to what opened it.
 */
export function DialogElement({ className, ...props }: DialogElementProps) {
  const { close, titleId, descriptionId, enters } = useDialog();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBackdrop = useRef(false);

  useIsomorphicLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    // The browser focuses an answer of a dialog present at page load, which no link of this page opened.
    const opener = element.contains(document.activeElement) ? document.body : document.activeElement;
    const first = element.querySelector<HTMLElement>(FIRST_CONTROL);
    // Whoever is in another field by the time the scripts have come goes on there.
    const current = [...element.querySelectorAll<HTMLElement>(FIELD)].find(
      (field) => field === document.activeElement && field !== first,
    );
    const { pathname, search } = window.location;
    element.removeAttribute("open");
    element.showModal();
    const [invalid, harmless] = [FIRST_INVALID, HARMLESS].map((selector) =>
      element.querySelector<HTMLElement>(selector),
    );
    (current ?? invalid ?? harmless ?? first)?.focus();
    // A question that is higher than the window is read from its beginning.
    if (!invalid) element.scrollTop = 0;
    return () => {
      element.close();
      const back = opener === document.body && !enters ? findLinkTo(pathname + search) : opener;
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    };
  }, [enters]);

  const onCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    event.preventDefault();
    close();
  };
  // Chrome closes on a second Escape whatever `cancel` says. It is open as long as it is rendered: offline the page without it
  // cannot be fetched. A close from our clean-up reaches nobody, or in React's strict mode finds it open again.
  const onClose = ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (currentTarget.open) return;
    currentTarget.showModal();
    close();
  };

  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby={titleId}
      aria-describedby={descriptionId}
      onCancel={onCancel}
      onClose={onClose}
      onPointerDown={(event) => {
        pressedBackdrop.current = isBeside(event);
      }}
      onClick={(event) => {
        if (pressedBackdrop.current && isBeside(event)) close();
      }}
      className={cn(
        // DialogOverlay shades the page, with JavaScript and without.
        "fixed z-50 w-auto overflow-y-auto overscroll-contain border bg-popover wrap-anywhere text-popover-foreground",
        "shadow-float outline-none backdrop:bg-transparent",
        enters && "animate-enter",
        className,
      )}
      {...props}
    />
  );
}

/** Returns whether a press is beside the dialog. One on its padding has the same target as one on its backdrop. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  const isInside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
  return target === currentTarget && !isInside;
}

/** Finds the first visible link that would have opened the dialog, for one that was open at page load. */
function findLinkTo(address: string): HTMLElement | undefined {
  return [...document.links].find((link) => link.getAttribute("href") === address && link.checkVisibility());
}

type DialogContentProps = DialogElementProps & { showCloseButton?: boolean };

/** Without a DialogDescription it needs `aria-describedby={undefined}`. */
export function DialogContent({ className, children, showCloseButton = true, ...props }: DialogContentProps) {
  return (
    <>
      <DialogOverlay />
      <DialogElement
        data-slot="dialog-content"
        className={cn(
          "inset-4 m-auto h-fit max-h-[calc(100dvh-2rem)] grid-cols-1 gap-6 rounded-lg p-5 open:grid sm:max-w-lg sm:p-6",
          className,
        )}
        {...props}
      >
        {showCloseButton ? <DialogCross /> : null}
        {children}
      </DialogElement>
    </>
  );
}

/** The closing cross in the upper corner. */
export function DialogCross() {
  return (
    <Button asChild variant="ghost" size="icon" className="absolute top-3 right-3 text-muted-foreground">
      <DialogClose data-slot="dialog-close" aria-label="Close">
        <X aria-hidden />
      </DialogClose>
    </Button>
  );
}

export function DialogHeader({ className, ...props }: DivProps) {
  return <div data-slot="dialog-header" className={cn("flex flex-col gap-2", className)} {...props} />;
}

export function DialogFooter({ className, ...props }: DivProps) {
  return (
    <div data-slot="dialog-footer" className={cn("flex flex-wrap justify-end gap-2", className)} {...props} />
  );
}

export function DialogTitle({ className, ...props }: ComponentPropsWithoutRef<"h2">) {
  return (
    <h2
      id={useDialog().titleId}
      data-slot="dialog-title"
      // Leaves room for the cross.
      className={cn("pr-9 text-lg font-semibold tracking-tight", className)}
      {...props}
    />
  );
}

/** A div, because a question may have several paragraphs. */
export function DialogDescription({ className, ...props }: DivProps) {
  return (
    <div
      id={useDialog().descriptionId}
      data-slot="dialog-description"
      className={cn("text-sm text-muted-foreground", className)}
      {...props}
    />
  );
}
