type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Caret {
  readonly field: Field;
  /** Null for fields without a selection, such as an email's. */
  readonly selection:
    readonly [start: number, end: number, direction: "forward" | "backward" | "none"] | null;
}

/**
 * Remembers the fields of the document that the server rendered. Any element that a browser extension adds to it makes
 * React 18 throw it away and render all of it again: then the returned function, called with React's first commit, gives
 * the new fields what the old ones hold, and the focus with its selection. Fields that React kept stay untouched.
 */
export function rememberFields(document: Document): () => void {
  const before = listFields(document);
  let caret = readCaret(document);
  const root = document.documentElement;
  // Stops once React has replaced the document: the old field has lost its selection, and effects move the focus.
  const updateCaret = () => {
    if (root.isConnected) caret = readCaret(document);
  };
  const events = ["focusin", "selectionchange"];
  for (const event of events) document.addEventListener(event, updateCaret);
  return () => {
    for (const event of events) document.removeEventListener(event, updateCaret);
    const after = listFields(document);
    for (const [key, field] of before) {
      const successor = after.get(key);
      if (!successor || field.isConnected) continue;
      copyTyped(field, successor);
      if (field === caret?.field) setCaret(successor, caret);
    }
  };
}

/**
 * Tells the page's handlers of what was chosen and typed before there were any: each field that no longer holds what the
 * server rendered has its input event once more, and its change event unless it is a text that is still being typed. What the
 * browser filled in by itself is left out: nobody has answered an error by it.
 *
 * React's onInput hears of every field. Its onChange hears of selects and files alone: of other fields React waits for a
 * click, or for another value than it found when it hydrated them.
 */
export function announceTyped(document: Document): void {
  for (const field of listFields(document).values()) {
    if (!isChanged(field) || field.matches(":autofill")) continue;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const isBeingTyped = field === document.activeElement && !(field instanceof HTMLSelectElement);
    if (!isBeingTyped) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/** Returns whether a field holds something else than its markup says. */
function isChanged(field: Field): boolean {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const options = [...field.options];
  const rendered = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
  return field.value !== (rendered?.value ?? "");
}

/** Returns the fields by what both renderings say of them: form, name, type, a choice's value, and a number among equals. */
function listFields(document: Document): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const field of document.querySelectorAll<Field>("input, textarea, select")) {
    if (field.type === "hidden" || field.name === "") continue;
    const choice = isChoice(field) ? field.value : "";
    const key = [field.form?.getAttribute("action"), field.name, field.type, choice].join("\n");
    let number = 0;
    while (fields.has(`${key}\n${number}`)) number += 1;
    fields.set(`${key}\n${number}`, field);
  }
  return fields;
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const isFile = (field: Field): field is HTMLInputElement => field.type === "file";

function copyTyped(from: Field, to: Field): void {
  if (isChoice(from) && isChoice(to)) to.checked = from.checked;
  // Scripts cannot set the value of a file field.
  else if (isFile(from) && isFile(to)) to.files = from.files;
  else if (to.value !== from.value) to.value = from.value;
}

function readCaret({ activeElement }: Document): Caret | undefined {
  if (activeElement instanceof HTMLSelectElement) return { field: activeElement, selection: null };
  const isText = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
  if (!isText) return undefined;
  const { selectionStart, selectionEnd, selectionDirection } = activeElement;
  const hasSelection = selectionStart !== null && selectionEnd !== null;
  return {
    field: activeElement,
    selection: hasSelection ? [selectionStart, selectionEnd, selectionDirection ?? "none"] : null,
  };
}

function setCaret(field: Field, { selection }: Caret): void {
  field.focus({ preventScroll: true });
  if (selection && !(field instanceof HTMLSelectElement)) field.setSelectionRange(...selection);
}
