import { useFetcher } from "@remix-run/react";
import { useEffect, useRef, useState, type RefObject } from "react";
import { linkTo } from "~/http/list-state";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";
import type { SavedDraft } from "~/services/outreach/drafts.server";

const QUIET_MS = seconds(1);

/** The version that was saved since the form was shown: a colleague's, or the operator's in another window. */
export type Conflict = SavedDraft & { isOwn: boolean };

/** The draft's id, or the version of another form that was not overwritten. */
export type Autosaved = { kind: "autosaved" } & ({ savedDraft: string } | { conflict: Conflict });

/**
 * Saves the form as a draft whenever typing pauses, so that a reload loses nothing. Without JavaScript the
 * form's own button saves.
 * @param key identifies the form; a new key is a new form
 * @returns the form's event handlers, the draft's id, whether everything typed is saved, and the version that
 * was saved elsewhere in the meantime, which prevents saving
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
    // Only for a reload. The router's location does not change: a navigation would replace the typed text by
    // the saved one.
    if (window.location.pathname !== paths.dashboard) return;
    window.history.replaceState(window.history.state, "", linkTo(paths.outreach, { draft: savedDraft }));
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
    /** Called when a button was pressed, which saves too. */
    onSubmit: () => {
      clearTimeout(timer.current);
      setSubmitted(true);
    },
    /** After one of its buttons was pressed, the form's response reports conflicts. */
    conflict: isSubmitted ? undefined : conflict,
    isSaved: saved !== undefined && fetcher.state === "idle" && !isDirty,
  };
}
