import { useActionData, useLocation, useSearchParams } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { Banner } from "~/components/banner";
import { useIsAnswer } from "~/components/form-response";
import { toasts } from "~/components/toast-queue";
import { useBeforePaint } from "~/components/use-before-paint";
import { type NoticeCode, notices } from "~/content/notices";
import type { Refusal } from "~/http/action-result.server";

/** The notices that the back office layout shows, on whatever page they lead to. */
export const FRAME_NOTICES: readonly NoticeCode[] = ["welcome"];

/** Shown in places of their own: by the layout, and by DiscardedDraft. */
const ELSEWHERE: readonly NoticeCode[] = [...FRAME_NOTICES, "draft-discarded"];

type NoticeProps = {
  /** The codes shown here; when missing, all that are not shown elsewhere. */
  only?: readonly NoticeCode[];
  /** The form whose refusals are shown here; those of any form when missing. */
  form?: string;
  /** A link to the next step, after the sentence: with it the notice stays in the page. */
  children?: ReactNode;
  className?: string;
  /** Milliseconds that the toast of a success notice is shown. */
  toastMs?: number;
};

/**
 * Shows the result of the last action (app/http/action-result.server.ts): a refused form's message, or the
 * notice in the URL. Where there is a toaster, a success becomes a toast; a failure stays (docs/decisions/0019).
 */
export function Notice({ only, form, children, className, toastMs }: NoticeProps) {
  const code = useNotice(only);
  const refusal = useActionData() as Partial<Refusal> | undefined;
  const isToasted = useToast(children === undefined ? code : undefined, toastMs);
  const isRefused = refusal?.kind === "refused" && (form === undefined || refusal.form === form);
  if (isRefused && refusal.message) {
    return <RefusalBanner refusal={refusal} className={className} />;
  }
  if (!code || isToasted) return null;
  const { kind, text } = notices[code];
  return (
    <Banner kind={kind} className={className}>
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
    <Banner kind="error" className={className}>
      <p className={advice ? "font-medium" : undefined}>{message}</p>
      {advice ? <p>{advice}</p> : null}
    </Banner>
  );
}

/** Shows a success notice as a toast instead, once for each form that was sent. Returns true once it is shown. */
function useToast(code: NoticeCode | undefined, shown: number | undefined): boolean {
  const { key } = useLocation();
  const isAnswer = useIsAnswer();
  const [toastedAt, setToastedAt] = useState<string>();
  // Runs before paint, so that the sentence is never seen or announced in both places, or in none.
  useBeforePaint(() => {
    if (!code || !isAnswer || notices[code].kind !== "success" || !toasts.isWatched()) return;
    toasts.show({ id: key, kind: "success", text: notices[code].text, ...(shown && { shown }) });
    setToastedAt(key);
  }, [code, key, isAnswer, shown]);
  return toastedAt === key;
}

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
