import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { SavedDraft } from "~/services/outreach/drafts.server";

const QUIET_MS = seconds(1);

/** The draft's id, or what a colleague saved instead. */
export type Autosaved = { kind: "autosaved" } & ({ savedDraft: string } | { conflict: SavedDraft });

/**
 * Keeps what is being written whenever the typing rests, so that a reload loses nothing. Without JavaScript the form's
 * own button saves.
 * @param key another one is another form.
 * @returns what the form calls, the id of the draft it became, whether all that was typed is saved, and what a colleague
 * saved in the meantime, which keeps it from being saved.
 */
export function useAutosave(form: RefObject<HTMLFormElement>, key: string) {
  const fetcher = useFetcher<Autosaved | Record<string, never>>({ key: `autosave ${key}` });
  const [isDirty, setDirty] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const [isSubmitted, setSubmitted] = useState(false);
  const conflict = fetcher.data && "conflict" in fetcher.data ? fetcher.data.conflict : undefined;
  const saved = fetcher.data && "savedDraft" in fetcher.data ? fetcher.data.savedDraft : undefined;
  const savedDraft = saved ?? conflict?.id;

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!savedDraft) return;
    // For a reload alone. The router stays where it is: a new address would put the saved text over what is being typed.
    const { pathname } = window.location;
    if (pathname !== paths.dashboard) return;
    window.history.replaceState(
      window.history.state,
      "",
      `?${new URLSearchParams({ draft: savedDraft })}#outreach`,
    );
  }, [savedDraft]);

  function save() {
    if (!form.current) return;
    setDirty(false);
    setSubmitted(false);
    const fields = new FormData(form.current);
    fields.set("intent", "autosave");
    fetcher.submit(fields, { method: "post", action: paths.dashboard });
  }

  return {
    savedDraft,
    onInput: () => {
      setDirty(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, QUIET_MS);
    },
    /** A button was pressed: that saves too. */
    onSubmit: () => {
      clearTimeout(timer.current);
      setSubmitted(true);
    },
    /** Answered by the form itself once one of its buttons was pressed. */
    conflict: isSubmitted ? undefined : conflict,
    isSaved: saved !== undefined && fetcher.state === "idle" && !isDirty,
  };
}
