import { useNavigationType } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";
import type { UrlState } from "~/http/list-state";

/** A date changes with every digit typed, so that it must rest this long. */
const DATE_PAUSE_MS = 800;

/**
 * Sends a filter's form as its fields are changed: a choice at once, a date after a pause, a text on Enter or when it
 * is left. What the URL then says is written into the fields, except into one that is being typed in.
 */
export function useAppliedFilter(values: UrlState): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  /** What the fields said when they were last sent, or filled from the URL; not known of what the server rendered. */
  const applied = useRef<string>();
  const isSent = useRef(false);
  /** The fields were rendered with them; what was chosen since is not in the URL yet. */
  const rendered = useRef(values);
  const isBackOrForward = useNavigationType() === "POP";

  useEffect(() => {
    const filter = form.current;
    let pause: ReturnType<typeof setTimeout> | undefined;
    // React's onChange is the browser's input event: it comes with every letter.
    const onChange = ({ target }: Event) => {
      clearTimeout(pause);
      const isDate = target instanceof HTMLInputElement && target.type === "date";
      // While a year is typed it begins with zeros.
      if (isDate && target.value.startsWith("0")) return;
      // The list already shows it when a text is left after a choice has sent it: again, it would undo a selection.
      const apply = () => {
        if (filter && serialize(filter) !== applied.current) filter.requestSubmit();
      };
      pause = setTimeout(apply, isDate ? DATE_PAUSE_MS : 0);
    };
    // Enter in a text changes it and sends the form too: once is enough.
    const onSubmit = () => {
      clearTimeout(pause);
      isSent.current = true;
      applied.current = filter ? serialize(filter) : undefined;
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
    if (rendered.current === values) return;
    rendered.current = values;
    // What the form itself sent stands in its fields, and what was typed since.
    if (isSent.current) {
      isSent.current = false;
      return;
    }
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name);
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      // Its value is the page's, and no filter.
      if (field.type === "hidden") continue;
      if (field === document.activeElement && !isBackOrForward) continue;
      if (typeof value === "string" && field.value !== value) field.value = value;
    }
    applied.current = form.current ? serialize(form.current) : undefined;
  }, [values, isBackOrForward]);

  return form;
}

/** Returns what a form without files sends. */
const serialize = (form: HTMLFormElement): string =>
  [...new FormData(form)].map((field) => field.join("=")).join("&");
