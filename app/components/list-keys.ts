/** The rows of all lists of a screen: those of tables that can be seen, and what is marked as a row elsewhere. */
export const ROWS = "main :is(tbody > tr, [data-row]):not(.sr-only *)";
const DETAIL = "[data-slot=detail]";
/** Where rows are while one is open: in the list beside it, or in its page where CSS hides the list. */
const PANES = ["[data-slot=list]", DETAIL];
/** The link to the row whose page is open beside the list. */
const OPEN = "a[aria-current=true]";
const SELECTED = "main input[name=id]:checked";
/** Height of what covers the top of a page. */
const COVERED = 100;

/** The row on which x was pressed last: X selects from it to the cursor. */
let anchor: Element | undefined;

/**
 * Does on a screen's lists what a key is for. The cursor is the focus, on the row's link or on the row itself.
 * @returns whether the key did something, and the browser should not.
 */
export function pressListKey({ key, shiftKey, repeat }: KeyboardEvent): boolean {
  const rows = listRows();
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at];
  const isArrow = key === "ArrowDown" || key === "ArrowUp";
  if (key === "j" || key === "J" || key === "k" || key === "K" || isArrow) {
    // Without a cursor the arrows scroll.
    if (isArrow && !row) return false;
    const step = key.toLowerCase() === "j" || key === "ArrowDown" ? 1 : -1;
    const next = row ? rows[at + step] : findFirst(rows);
    if (!next) return row !== undefined;
    focusRow(next);
    if (shiftKey) [row, next].forEach((each) => select(each, true));
    return true;
  }
  if (repeat) return false;
  if (key === "Escape") return leave(row);
  if (key === "#") return askToDelete(row);
  if (!row) return false;
  if (key === "x") {
    anchor = row;
    return select(row, !getBox(row)?.checked);
  }
  if (key === "X") {
    const from = anchor ? rows.indexOf(anchor as HTMLElement) : -1;
    const [first, last] = [from < 0 ? at : from, at].toSorted((one, other) => one - other);
    rows.slice(first, (last ?? at) + 1).forEach((each) => select(each, true));
    return getBox(row) !== null;
  }
  // A row without a link of its own shows the whole of its text.
  const summary = key === "Enter" && document.activeElement === row ? row.querySelector("summary") : null;
  summary?.click();
  return summary !== null;
}

/** Puts the cursor on the list below a search field; returns false where there are no rows. */
export function leaveSearch(): boolean {
  const first = findFirst(listRows());
  if (first) focusRow(first);
  return first !== undefined;
}

/** Returns whether a control takes the keys for itself. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox]), textarea, select, [role=listbox], [role=slider]"))
  );
}

/** Lists the visible rows that the keys move among: an open row's page has rows of its own beside those of the list. */
function listRows(): HTMLElement[] {
  const panes = document.querySelector(DETAIL)
    ? [document.activeElement?.closest(DETAIL), ...PANES.map((pane) => document.querySelector(pane))]
    : [document];
  return (
    panes
      .map((pane) =>
        [...(pane?.querySelectorAll<HTMLElement>(ROWS) ?? [])].filter((row) => row.checkVisibility()),
      )
      .find((rows) => rows.length > 0) ?? []
  );
}

/** Finds the row on which the cursor appears: the open one, else the first that is not covered. */
function findFirst(rows: readonly HTMLElement[]): HTMLElement | undefined {
  return (
    rows.find((row) => row.querySelector(OPEN)) ??
    rows.find((row) => row.getBoundingClientRect().top >= COVERED)
  );
}

/** Puts the cursor on a row. */
function focusRow(row: HTMLElement): void {
  const target = row.querySelector<HTMLElement>("a[href]:not([data-slot=button])") ?? row;
  if (target === row) row.tabIndex = -1;
  target.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

/** Lists the checkboxes of the selection that can be seen: an open row's page hides its list where there is no room. */
function listSelected(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(SELECTED)].filter((box) => box.checkVisibility());
}

const getBox = (row: Element) => row.querySelector<HTMLInputElement>("input[type=checkbox][name=id]");

/** Selects or deselects a row; returns false where rows cannot be selected. */
function select(row: Element | undefined, isSelected: boolean): boolean {
  const box = row ? getBox(row) : null;
  // A click tells the form too.
  if (box && box.checked !== isSelected) box.click();
  return box !== null;
}

/** Clears the selection or, where nothing is selected and no row is open, takes the cursor off the list. */
function leave(row: Element | undefined): boolean {
  const selected = listSelected();
  for (const box of selected) box.click();
  if (selected.length > 0) return true;
  if (document.querySelector(DETAIL)) return false;
  if (row) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  return row !== undefined;
}

/** Presses the button or link that asks before the row, or the selection, is deleted. */
function askToDelete(row: Element | undefined): boolean {
  const own = row?.querySelector<HTMLElement>("[data-delete]");
  if (own) {
    own.click();
    return true;
  }
  const [selected] = listSelected();
  if (!selected) select(row, true);
  const form = (selected ?? row)?.closest("form");
  const button = form?.querySelector<HTMLElement>("[data-delete]");
  button?.click();
  return Boolean(button);
}
