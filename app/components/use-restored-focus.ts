import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";
import { HARMLESS } from "~/components/dialog-page";

const HEADING = "h1, h2, h3, summary";

/**
 * Restores the focus after each change of the page: to a refused form's first invalid field, or its message, or
 * below a message in a question the harmless answer, so that Enter changes nothing; to a new page's beginning, and where the focused control is gone, to its equivalent or the nearest place.
 * @param main focusable by script. @param formResponseKey the result of useFormResponseKey.
 */
export function useRestoredFocus(main: RefObject<HTMLElement>, formResponseKey: string | undefined): void {
  const { key, pathname } = useLocation();
  const { state } = useNavigation();
  const arrivedAt = useRef({ key, pathname });
  const alertsBefore = useRef<readonly string[]>([]);
  // The last focused element and its ancestors; apart for dialogs, whose elements are soon gone.
  const trails = useRef<Record<"page" | "dialog", readonly Element[]>>({ page: [], dialog: [] });

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      trails.current[target.closest("dialog") ? "dialog" : "page"] = listAncestors(target);
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);

  useEffect(() => {
    if (state === "submitting")
      alertsBefore.current = findAlerts(document.body).map(({ textContent }) => textContent ?? "");
  }, [state]);

  useEffect(() => {
    if (state !== "idle" || arrivedAt.current.key === key || !main.current) return;
    const isOtherPage = arrivedAt.current.pathname !== pathname;
    arrivedAt.current = { key, pathname };
    const dialog = document.querySelector<HTMLElement>("dialog:modal");
    const container = dialog ?? main.current;

    const fault = formResponseKey === key ? findFault(container, alertsBefore.current) : undefined;
    if (fault) focusFault(fault, container);
    else if (isOtherPage && !container.contains(document.activeElement))
      container.focus({ preventScroll: true });
    else if (isLost(document.activeElement)) restore(trails.current[dialog ? "dialog" : "page"], container);
  }, [state, key, pathname, formResponseKey, main]);
}

const isLost = (element: Element | null) =>
  element === null || element === document.body || element.matches("dialog");

/** Finds the first invalid field, or a message that was not there when the form was sent. */
function findFault(container: Element, before: readonly string[]): HTMLElement | undefined {
  return (
    container.querySelector<HTMLElement>("[aria-invalid=true]") ??
    findAlerts(container).find(({ textContent }) => !before.includes(textContent ?? ""))
  );
}

/** Focuses a field or message; a message in a question is shown, and the harmless answer gets the focus. */
function focusFault(fault: HTMLElement, container: HTMLElement): void {
  const isMessage = fault.matches("[role=alert]");
  const harmless = isMessage ? container.querySelector<HTMLElement>(HARMLESS) : null;
  if (!harmless) return fault.focus();
  harmless.focus({ preventScroll: true });
  fault.scrollIntoView({ block: "nearest" });
}

const findAlerts = (container: Element) => [...container.querySelectorAll<HTMLElement>("[role=alert]")];

/** Focuses the trail's first element, or its equivalent, or the heading or list around it, or the container. */
function restore(trail: readonly Element[], container: HTMLElement): void {
  const [control, ...around] = trail;
  if (control && [control, ...findEquivalents(control, container)].some(tookFocus)) return;
  const remaining = around.filter((element) => element.isConnected && container.contains(element));
  const places = remaining.flatMap((place) => getPlaceName(place, remaining[0] ?? place) ?? []);
  for (const place of [...places, container]) {
    // Makes an element that is not a control focusable by script.
    if (place instanceof HTMLElement && place.tabIndex < 0) place.tabIndex = -1;
    if (tookFocus(place)) return;
  }
}

function tookFocus(element: Element): boolean {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Finds the control's equivalents in the new page: a form is rendered again after it was sent. */
function findEquivalents(control: Element, container: Element): Element[] {
  const marks = ["name", "value", "aria-label"];
  return [...container.querySelectorAll(control.tagName)].filter(
    (other) =>
      other.textContent === control.textContent &&
      marks.every((mark) => other.getAttribute(mark) === control.getAttribute(mark)),
  );
}

/** Returns the place itself when it is labelled, else its last heading before the removed part of the trail. */
function getPlaceName(place: Element, left: Element): Element | undefined {
  if (place.hasAttribute("aria-label")) return place;
  const headings = [...place.querySelectorAll(HEADING)];
  if (place === left) return headings[0];
  return headings.findLast(
    (heading) => left.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING,
  );
}

function listAncestors(element: Element): Element[] {
  const trail = [];
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    trail.push(each);
  return trail;
}
