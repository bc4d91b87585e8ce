import { useActionData, useLocation, useNavigationType, useSearchParams } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { useIsomorphicLayoutEffect } from "~/components/use-isomorphic-layout-effect";
import { hasToaster, toast } from "~/components/use-toast";
import { getNoticeText, type NoticeCode, notices } from "~/content/notices";
import type { Refusal } from "~/http/action-result.server";

/** The notices that the back office layout shows, on whatever page they lead to. */
export const FRAME_NOTICES: readonly NoticeCode[] = ["welcome"];

/** Shown in places of their own: by the layout, by DiscardedDraft, and by the form of campaigns. */
const ELSEWHERE: readonly NoticeCode[] = [...FRAME_NOTICES, "draft-discarded", "draft-replaced"];

type NoticeProps = {
  /** The codes shown here; when missing, all that are not shown elsewhere. */
  only?: readonly NoticeCode[];
  /** The form whose refusals are shown here; those of any form when missing, and of none with "none". */
  form?: string;
  /** A link to the next step, after the sentence: with it the notice stays in the page. */
  children?: ReactNode;
  className?: string;
  /** Number of rows the result is about; `?count=` when missing. */
  count?: number | undefined;
  /** Milliseconds that the toast of a success notice is shown. */
  toastMs?: number | undefined;
};

/**
 * Shows the result of the last action (app/http/action-result.server.ts): a refused form's message, or the
 * notice in the URL. Where there is a toaster, a success becomes a toast; a failure stays (docs/decisions/0019).
 */
export function Notice({ only, form, children, className, count, toastMs }: NoticeProps) {
  const [search] = useSearchParams();
  const code = useNotice(only);
  const text = code && getNoticeText(code, count ?? toCount(search.get("count")));
  const refusal = useActionData() as Partial<Refusal> | undefined;
  // A form is sent to the page's URL, which may still have the notice of the one before it. Beside its refusal only a next step
  // stays, in a place that shows no refusals.
  const isRefused = refusal?.kind === "refused" && !(form === "none" && children);
  const isToasted = useToastedNotice(children || isRefused ? undefined : code, text, toastMs);
  if (isRefused) {
    const isShownHere = refusal.message && (form === undefined || refusal.form === form);
    return isShownHere ? <RefusalBanner refusal={refusal} className={className} /> : null;
  }
  if (!code || isToasted) return null;
  const { kind } = notices[code];
  return (
    <Banner kind={kind} isRefusal={kind === "error"} className={className}>
      {text}
      {children}
    </Banner>
  );
}

interface RefusalBannerProps {
  refusal: Pick<Refusal, "message" | "advice">;
  className?: string | undefined;
}

export function RefusalBanner({ refusal: { message, advice }, className }: RefusalBannerProps) {
  return (
    <Banner kind="error" isRefusal title={advice ? message : undefined} className={className}>
      {advice || message}
    </Banner>
  );
}

/**
 * Shows a success notice as a toast instead, once for each form that was sent. Returns true once it is shown, and while the
 * address is the same but for its anchor.
 */
function useToastedNotice(
  code: NoticeCode | undefined,
  text: string | undefined,
  duration: number | undefined,
): boolean {
  const { key, search } = useLocation();
  // A page that was loaded, or reached by Back, Forward or an anchor, is a POP. No other link leads to a notice but the one below
  // new recovery codes, which confirms what the form before it did.
  const isFormResponse = useNavigationType() !== "POP";
  const [toasted, setToasted] = useState<string>();
  // Runs before the browser paints: the sentence is never seen or announced in both places, or in none.
  useIsomorphicLayoutEffect(() => {
    if (!code || !isFormResponse || notices[code].kind !== "success" || !hasToaster()) return;
    toast({ id: key, variant: "success", description: text, duration });
    setToasted(search);
  }, [code, text, key, search, isFormResponse, duration]);
  return toasted === search;
}

const toCount = (text: string | null) => (text && /^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** Returns the notice code in the URL when it is one that this place shows (NoticeProps.only). */
export function useNotice(only?: readonly NoticeCode[]): NoticeCode | undefined {
  const [search] = useSearchParams();
  const code = search.get("notice") ?? "";
  if (!isNoticeCode(code)) return undefined;
  return (only ? only.includes(code) : !ELSEWHERE.includes(code)) ? code : undefined;
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(notices, code);
}
