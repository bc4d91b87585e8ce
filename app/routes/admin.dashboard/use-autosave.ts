import { useFetcher, useLocation, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";
import { toUnanswered } from "~/components/keep-form";
import type { NarrowingValues } from "~/http/lists/narrowing";
import { useLast } from "~/components/use-last";
import type { PreviewedEmail } from "~/components/email-preview";
import { seconds } from "~/lib/durations";
import { invites } from "~/lib/merge-fields";
import { paths } from "~/paths";
import type { AudienceSummary } from "./outreach-view.server";
import type { SavedDraft } from "~/services/outreach/drafts.server";

const QUIET_MS = seconds(1);
/** Time until what got no answer, or what a refused button did not save, is saved again. */
const RETRY_MS = seconds(2);

/** Names of the fields that choose who gets the email: the group, and what narrows it (narrow-down.tsx). */
const AUDIENCE_FIELDS: readonly string[] = [
  "audience",
  "role",
  "company",
  "domain",
  "source",
  "confirmed",
  "campaign",
  "got",
  "invitation",
  "from",
  "to",
  "pick",
  "limit",
  "perDomain",
] satisfies ("audience" | keyof NarrowingValues)[];

/** Parameters of getOutreachView that are about another draft or campaign than the form's. */
const OTHERS_PARAMETERS = ["send", "at", "discarded", "former", "filled", "panel", "step", "start", "notice"];

/** The version that was saved since the form was shown: a colleague's, or the operator's in another window. */
export type Conflict = SavedDraft & {
  /** Its audience in words. */
  narrowed: string;
  isOwn: boolean;
};

/** Who gets the email, as of a change of the form's fields. */
export interface CountedAudience {
  /** Its number; see useAudience. */
  change: number;
  summary: AudienceSummary;
}

/** The draft's id and the email made of it. */
export interface Autosaved {
  kind: "autosaved";
  savedDraft: string;
  /** Whether it is a new draft, because the form's own was confirmed meanwhile. */
  isCopy: boolean;
  /** Whether all of the form is saved: a field that is not valid is not. */
  isComplete: boolean;
  email: PreviewedEmail | undefined;
  /** Who gets the email; undefined unless the form asked for the count. */
  audience: CountedAudience | undefined;
}

/** Or the version of another form that was not overwritten. */
type Answer = Autosaved | { conflict?: Conflict };

/**
 * Saves the form as a draft whenever typing pauses, so that a reload loses nothing, and when a link leads away before.
 * Without JavaScript the form's own button saves.
 * @param key identifies the form; a new key is a new form
 * @param refusal the answer to a button that was refused or got no answer: another value is another press
 * @returns the form's event handlers, the draft's id, whether everything typed is saved, and the version that
 * was saved elsewhere in the meantime, which prevents saving
 */
export function useAutosave(form: RefObject<HTMLFormElement>, key: string, refusal: unknown) {
  const fetcher = useFetcher<Answer>({ key: `autosave ${key}` });
  const [isDirty, setDirty] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latestSave = useRef(save);
  /** Whether the text invites, which decides who gets the email, too. */
  const isInviting = useRef(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const [shownKey, setShownKey] = useState(key);
  const audience = useAudience(fetcher.data, refusal !== undefined);
  if (key !== shownKey) {
    setShownKey(key);
    // A form that was refused has what was typed, under the id of its draft; any other is as it was loaded.
    if (!refusal) {
      setDirty(false);
      audience.reset();
    }
  }
  const submit = useSubmit();
  const { key: visit } = useLocation();
  const unanswered = toUnanswered(refusal);
  const isLost = toUnanswered(fetcher.data) !== undefined;
  const isIdle = fetcher.state === "idle";
  const conflict = fetcher.data && "conflict" in fetcher.data ? fetcher.data.conflict : undefined;
  const saved = fetcher.data && "savedDraft" in fetcher.data ? fetcher.data : undefined;
  const savedDraft = saved?.savedDraft ?? conflict?.id;
  // The next saves are of that new draft, and no copies themselves.
  const copiedDraft = useLast(saved?.isCopy ? saved.savedDraft : undefined);

  useEffect(() => {
    const shown = form.current;
    if (shown) isInviting.current = readInviting(shown);
    return () => {
      // A link leads away while a save waits. It is sent by a fetcher of its own: the form that is shown next with this key
      // must not get the answer.
      if (timer.current === undefined || !shown) return;
      stopTimer();
      submit(toFields(shown), { method: "post", action: paths.dashboard, navigate: false });
    };
  }, [key, form, submit]);
  useEffect(() => {
    if (!savedDraft) return;
    // Only for a reload. The router's location does not change: a navigation would replace the typed text by
    // the saved one. A link to a part of the page leaves the draft out.
    if (window.location.pathname !== paths.dashboard) return;
    const here = new URL(window.location.href);
    if (here.searchParams.get("draft") === savedDraft) return;
    here.searchParams.set("draft", savedDraft);
    for (const name of OTHERS_PARAMETERS) here.searchParams.delete(name);
    here.hash ||= new URL(paths.outreachPanel, here).hash;
    window.history.replaceState(window.history.state, "", here);
  }, [savedDraft, unanswered, visit]);
  useEffect(() => {
    latestSave.current = save;
  });
  useEffect(() => {
    if (!isIdle || !(isLost || (refusal && isDirty))) return;
    stopTimer();
    const again = setTimeout(() => latestSave.current(), RETRY_MS);
    timer.current = again;
    return () => {
      if (timer.current === again) stopTimer();
    };
  }, [key, isIdle, isLost, isDirty, refusal]);

  /** Forgets the save that waits; `timer` is undefined while none does. */
  function stopTimer() {
    clearTimeout(timer.current);
    timer.current = undefined;
  }

  function save() {
    stopTimer();
    if (!form.current) return;
    setDirty(false);
    setSubmitted(false);
    const fields = toFields(form.current);
    fields.set("countChange", audience.getUncounted());
    fetcher.submit(fields, { method: "post", action: paths.dashboard });
  }

  return {
    savedDraft,
    /** The email as it was saved last; undefined before something was, and while it has no text. */
    written: saved?.email && { savedDraft: saved.savedDraft, email: saved.email },
    /** Who gets the email, as it was counted last; undefined where the page has the count. */
    counted: audience.counted,
    /** "counting": the count is of an earlier version. "refused": what is typed cannot be counted. */
    counting: audience.isCounted
      ? undefined
      : isDirty || isLost || !isIdle
        ? ("counting" as const)
        : ("refused" as const),
    onInput: ({ target, currentTarget }: FormEvent<HTMLFormElement>) => {
      const name = target instanceof Element ? target.getAttribute("name") : null;
      const wasInviting = isInviting.current;
      isInviting.current = readInviting(currentTarget);
      if ((name !== null && AUDIENCE_FIELDS.includes(name)) || isInviting.current !== wasInviting) {
        audience.change();
      }
      setDirty(true);
      stopTimer();
      timer.current = setTimeout(save, QUIET_MS);
    },
    /** Called when a button was pressed, which saves too. */
    onSubmit: () => {
      stopTimer();
      setSubmitted(true);
      audience.submit();
    },
    /** After one of its buttons was pressed, the form's response reports conflicts. */
    conflict: isSubmitted ? undefined : conflict,
    /** Whether it is saved as a new draft, because the form's own was confirmed meanwhile. */
    isCopy: copiedDraft !== undefined && copiedDraft === savedDraft,
    isSaved: saved?.isComplete === true && isIdle && !isDirty,
  };
}

function toFields(form: HTMLFormElement): FormData {
  const fields = new FormData(form);
  fields.set("intent", "autosave");
  return fields;
}

/** Returns whether the typed text invites each of its recipients (isWave). */
function readInviting(form: HTMLFormElement): boolean {
  const fields = new FormData(form);
  return invites(`${String(fields.get("title"))}\n${String(fields.get("message"))}`);
}

/**
 * Numbers the changes of the fields that the audience depends on, so that the answer to an autosave tells which of them
 * it has counted.
 * @param isRefused whether the last button was refused or got no answer
 */
function useAudience(data: Answer | undefined, isRefused: boolean) {
  const latest = useRef(0);
  const [changed, setChanged] = useState(0);
  /** The last change when a button was pressed, and the one that the page had counted before. */
  const [submits, setSubmits] = useState({ latest: 0, before: 0 });
  // A refusal loads no page.
  const submitted = isRefused ? submits.before : submits.latest;
  const [counted, setCounted] = useState<CountedAudience>();
  const answered = data && "audience" in data ? data.audience : undefined;
  if (answered && answered !== counted) setCounted(answered);
  const isNewer = counted !== undefined && counted.change > submitted;
  return {
    counted: isNewer ? counted.summary : undefined,
    isCounted: changed <= Math.max(submitted, counted?.change ?? 0),
    change: () => {
      latest.current += 1;
      setChanged(latest.current);
    },
    /** The page of another form has its count. */
    reset: () => setSubmits({ latest: changed, before: changed }),
    /** The page that is loaded now has the count. */
    submit: () => setSubmits({ latest: latest.current, before: submitted }),
    /** Returns the number of the last change, as a form field; empty when it was counted. */
    getUncounted: () =>
      latest.current > Math.max(submitted, counted?.change ?? 0) ? String(latest.current) : "",
  };
}
