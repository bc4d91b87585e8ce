import { useLocation, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";
import { isTyping, ROWS } from "~/components/list-keys";
import { HARMLESS } from "~/components/ui/dialog";

const HEADING = "h1, h2, h3, summary";

/**
 * Moves the focus after each change of the page, for people who do not see what changed:
 * - after a refused form, to its first invalid field or its message; in a dialog with a message, to the answer that
 *   changes nothing, so that Enter changes nothing;
 * - after a result that can be undone, to its undo button;
 * - back on a page, or from a row's page on its list, to the link of the row;
 * - on another page, to its beginning;
 * - where the focused control is gone, to its equivalent, or to the heading or list around it.
 * React may skip the renders in which a form is on its way, so only the new page tells that it answers a form.
 * @param main focusable by script.
 */
export function useRestoredFocus(main: RefObject<HTMLElement>): void {
  const { key, pathname } = useLocation();
  const { state } = useNavigation();
  const isBackOrForward = useNavigationType() === "POP";
  const arrivedAt = useRef({ key, pathname });
  // The last focused element, then its ancestors. Kept for dialogs separately, because their elements are soon gone.
  const lastFocus = useRef<Record<"page" | "dialog", readonly Element[]>>({ page: [], dialog: [] });

  // The targets of the links in lists that had the focus last, by the keys of their pages in the history.
  const lastRows = useRef(new Map<string, string>());

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const link = target.closest(`${ROWS} a[href]`);
      if (link) lastRows.current.set(arrivedAt.current.key, link.getAttribute("href") ?? "");
      lastFocus.current[target.closest("dialog") ? "dialog" : "page"] = listWithAncestors(target);
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);

  useEffect(() => {
    if (state !== "idle" || arrivedAt.current.key === key || !main.current) return;
    const left = arrivedAt.current.pathname;
    const isOtherPage = left !== pathname;
    arrivedAt.current = { key, pathname };
    const dialog = document.querySelector<HTMLElement>("dialog:modal");
    const container = dialog ?? main.current;

    const error = isBackOrForward ? null : findError(container);
    const isBack = isOtherPage && (isBackOrForward || left.startsWith(`${pathname}/`));
    // Somebody who is in the list beside the row, in a field of it or on another row, goes on there.
    const row =
      isBack && !isTyping(document.activeElement) && !document.activeElement?.closest(ROWS)
        ? findRowLink(left, lastRows.current.get(key), container)
        : undefined;
    const nextStep = isBackOrForward ? null : container.querySelector("[data-next-step]");
    if (error) focusError(error, container);
    else if (nextStep) tryFocus(nextStep);
    else if (row && tryFocus(row)) row.closest(ROWS)?.scrollIntoView({ block: "nearest" });
    else if (isOtherPage && !container.contains(document.activeElement))
      container.focus({ preventScroll: true });
    else if (isLost(document.activeElement))
      restoreFocus(lastFocus.current[dialog ? "dialog" : "page"], container);
  }, [state, key, pathname, isBackOrForward, main]);
}

const isLost = (element: Element | null) =>
  element === null || element === document.body || element.matches("dialog");

/**
 * Finds the visible link of the row that leads to the page that was left, else the one that had the focus last: a table may
 * be rendered twice, and CSS shows one; and several rows may lead to one page.
 */
function findRowLink(left: string, href: string | undefined, container: Element): Element | undefined {
  const links = [...container.querySelectorAll<HTMLAnchorElement>(`${ROWS} a[href]`)].filter((link) =>
    link.checkVisibility(),
  );
  const ofPage = links.filter(({ pathname }) => pathname === left);
  const hasHref = (link: Element) => link.getAttribute("href") === href;
  return ofPage.find(hasHref) ?? ofPage[0] ?? links.find(hasHref);
}

/** Finds the first invalid field, or the message of a refused form. */
function findError(container: Element): HTMLElement | null {
  return container.querySelector("[aria-invalid=true]") ?? container.querySelector("[data-refusal]");
}

/** Focuses a field or message; a message in a dialog is scrolled to, and the harmless answer gets the focus. */
function focusError(error: HTMLElement, container: HTMLElement): void {
  const isMessage = error.matches("[data-refusal]");
  const harmless = isMessage ? container.querySelector<HTMLElement>(HARMLESS) : null;
  if (!harmless) return error.focus();
  harmless.focus({ preventScroll: true });
  error.scrollIntoView({ block: "nearest" });
}

/** Focuses the control, or its equivalent, or the heading or list that was around it, or the container. */
function restoreFocus([control, ...ancestors]: readonly Element[], container: HTMLElement): void {
  if (control && [control, ...findEquivalents(control, container)].some(tryFocus)) return;
  const remaining = ancestors.filter((element) => element.isConnected && container.contains(element));
  const [nearest] = remaining;
  const labels = nearest ? remaining.flatMap((ancestor) => findLabel(ancestor, nearest) ?? []) : [];
  for (const target of [...labels, container]) {
    // Makes an element that is not a control focusable by script.
    if (target instanceof HTMLElement && target.tabIndex < 0) target.tabIndex = -1;
    if (tryFocus(target)) return;
  }
}

/** Returns whether the element has the focus now. A row is not a control: the cursor of a list makes it focusable. */
function tryFocus(element: Element): boolean {
  if (element instanceof HTMLElement && element.matches(ROWS)) element.tabIndex = -1;
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Finds the control's equivalents in the new page: a form is rendered again after it was sent. Rows are the same where
 * their checkboxes (name=id) have the same value.
 */
function findEquivalents(control: Element, container: Element): Element[] {
  const attributes = ["name", "value", "aria-label"];
  const getId = (element: Element) => element.querySelector("input[name=id]")?.getAttribute("value");
  return [...container.querySelectorAll(control.tagName)].filter(
    (other) =>
      other.textContent === control.textContent &&
      getId(other) === getId(control) &&
      attributes.every((name) => other.getAttribute(name) === control.getAttribute(name)),
  );
}

/** Returns the ancestor itself when it is labelled, else its last heading before the nearest remaining ancestor. */
function findLabel(ancestor: Element, nearest: Element): Element | undefined {
  if (ancestor.hasAttribute("aria-label")) return ancestor;
  const headings = [...ancestor.querySelectorAll(HEADING)];
  if (ancestor === nearest) return headings[0];
  return headings.findLast(
    (heading) => nearest.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_PRECEDING,
  );
}

/** Lists an element and its ancestors below the body, the nearest first. */
function listWithAncestors(element: Element): Element[] {
  const elements = [];
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    elements.push(each);
  return elements;
}
