import { useLocation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";
import type { UrlState } from "~/http/list-state";

/** A date and a time change with every digit typed, so that they must rest this long. */
const PAUSE_MS = 800;

/**
 * Sends a filter's form as its fields are changed: a choice at once, a date or a time after a pause, a text on Enter or
 * when it is left. What the URL then says is written into the fields, unless the form itself sent it, and except into a
 * field that is being typed in, which only Back and Forward change.
 * @param values what the URL of the shown page says.
 */
export function useAppliedFilter(values: UrlState): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  const { search } = useLocation();
  /** The search part of the URL that the fields were rendered with, or last written from. */
  const shown = useRef(search);
  /** What the form has sent and no page has shown yet, as in the URL, the oldest first. */
  const sent = useRef<string[]>([]);
  /**
   * What the fields said when they were last sent or written, as in the URL. Undefined of what the server rendered, and after
   * a page that could not be written into the field that was being typed in.
   */
  const applied = useRef<string>();
  const isBackOrForward = useNavigationType() === "POP";

  useEffect(() => {
    const filter = form.current;
    let pause: ReturnType<typeof setTimeout> | undefined;
    // React's onChange is the browser's input event: it comes with every letter.
    const onChange = ({ target }: Event) => {
      clearTimeout(pause);
      const input = target instanceof HTMLInputElement ? target : undefined;
      // While a year is typed it begins with zeros.
      if (input?.type === "date" && input.value.startsWith("0")) return;
      // The list already shows it when a text is left after a choice has sent it: again, it would undo a selection.
      const apply = () => {
        if (filter && toSearch(filter) !== applied.current) filter.requestSubmit();
      };
      pause = setTimeout(apply, input?.type === "date" || input?.type === "time" ? PAUSE_MS : 0);
    };
    // Enter in a text changes it and sends the form too: once is enough.
    const onSubmit = () => {
      clearTimeout(pause);
      if (!filter) return;
      applied.current = toSearch(filter);
      sent.current.push(applied.current);
    };
    filter?.addEventListener("change", onChange);
    filter?.addEventListener("submit", onSubmit);
    return () => {
      clearTimeout(pause);
      filter?.removeEventListener("change", onChange);
      filter?.removeEventListener("submit", onSubmit);
    };
  }, []);

  useEffect(() => {
    if (shown.current === search) return;
    shown.current = search;
    // What the form itself sent stands in its fields, and what was changed since.
    const place = sent.current.lastIndexOf(search);
    if (place >= 0) {
      sent.current.splice(0, place + 1);
      return;
    }
    sent.current = [];
    let isWritten = true;
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      // Its value is the page's, and no filter.
      if (field.type === "hidden") continue;
      if (typeof value !== "string" || field.value === value) continue;
      if (field === document.activeElement && !isBackOrForward) isWritten = false;
      else field.value = value;
    }
    applied.current = form.current && isWritten ? toSearch(form.current) : undefined;
  }, [search, values, isBackOrForward]);

  return form;
}

/** Returns the search part of the URL that a form without files leads to, as Remix makes it. */
const toSearch = (form: HTMLFormElement): string =>
  `?${new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString()}`;
