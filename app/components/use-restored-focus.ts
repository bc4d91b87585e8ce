import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

const HEADING = "h1, h2, h3, summary";

/**
 * Restores the focus after each change of the page, for every screen of a layout: a refused form focuses its
 * first invalid field, or the message; a new page its beginning; and when the focused control is gone (a
 * removed row, a closed question, a button disabled meanwhile) the same control or the nearest place to it
 * gets the focus.
 *
 * @param main the layout's main element, focusable by script
 * @param formResponseKey the result of useFormResponseKey
 */
export function useRestoredFocus(main: RefObject<HTMLElement>, formResponseKey: string | undefined): void {
  const { key, pathname } = useLocation();
  const { state } = useNavigation();
  const arrivedAt = useRef({ key, pathname });
  const alertsBefore = useRef<readonly string[]>([]);
  // The last focused element and its ancestors. Elements in a dialog have a list of their own, because they
  // are soon gone.
  const trails = useRef<Record<"page" | "dialog", readonly Element[]>>({ page: [], dialog: [] });

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      trails.current[target.closest("dialog") ? "dialog" : "page"] = upwards(target);
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);

  useEffect(() => {
    if (state === "submitting")
      alertsBefore.current = alertsIn(document.body).map(({ textContent }) => textContent ?? "");
  }, [state]);

  useEffect(() => {
    if (state !== "idle" || arrivedAt.current.key === key || !main.current) return;
    const isOtherPage = arrivedAt.current.pathname !== pathname;
    arrivedAt.current = { key, pathname };
    const dialog = document.querySelector<HTMLElement>("dialog:modal");
    const stage = dialog ?? main.current;

    const fault = formResponseKey === key ? findFault(stage, alertsBefore.current) : undefined;
    if (fault) fault.focus();
    else if (isOtherPage && !stage.contains(document.activeElement)) stage.focus({ preventScroll: true });
    else if (isLost(document.activeElement)) restore(trails.current[dialog ? "dialog" : "page"], stage);
  }, [state, key, pathname, formResponseKey, main]);
}

const isLost = (element: Element | null) =>
  element === null || element === document.body || element.matches("dialog");

/** Finds the first invalid field, or a message that was not there when the form was sent. */
function findFault(stage: Element, before: readonly string[]): HTMLElement | undefined {
  return (
    stage.querySelector<HTMLElement>("[aria-invalid=true]") ??
    alertsIn(stage).find(({ textContent }) => !before.includes(textContent ?? ""))
  );
}

const alertsIn = (stage: Element) => [...stage.querySelectorAll<HTMLElement>("[role=alert]")];

/** Focuses the trail's first element, or its equivalent, or the heading or list around it, or the stage. */
function restore(trail: readonly Element[], stage: HTMLElement): void {
  const [control, ...around] = trail;
  if (control && [control, ...findEquivalents(control, stage)].some(tookFocus)) return;
  const survivors = around.filter((element) => element.isConnected && stage.contains(element));
  const places = survivors.flatMap((place) => getPlaceName(place, survivors[0] ?? place) ?? []);
  for (const place of [...places, stage]) {
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
function findEquivalents(control: Element, stage: Element): Element[] {
  const marks = ["name", "value", "aria-label"];
  return [...stage.querySelectorAll(control.tagName)].filter(
    (other) =>
      other.textContent === control.textContent &&
      marks.every((mark) => other.getAttribute(mark) === control.getAttribute(mark)),
  );
}

/**
 * Returns a place's name: the element itself when it is labelled, else the last heading in it before the
 * removed part of the trail.
 */
function getPlaceName(place: Element, left: Element): Element | undefined {
  if (place.hasAttribute("aria-label")) return place;
  const headings = [...place.querySelectorAll(HEADING)];
  if (place === left) return headings[0];
  return headings.findLast(
    (heading) => left.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING,
  );
}

function upwards(element: Element): Element[] {
  const trail = [];
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    trail.push(each);
  return trail;
}
