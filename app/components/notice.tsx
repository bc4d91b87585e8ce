import { useActionData, useLocation, useSearchParams } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { useIsAnswer } from "~/components/form-response";
import { Banner } from "~/components/banner";
import { toasts } from "~/components/toast-queue";
import { useBeforePaint } from "~/components/use-before-paint";
import { type NoticeCode, notices } from "~/content/operator-messages";
import type { Refusal } from "~/http/action-result.server";

/** What the frame of the back office says above whatever page it leads to. */
export const FRAME_NOTICES: readonly NoticeCode[] = ["welcome"];

type NoticeProps = {
  /** The codes this place answers for; all but those of the frame when missing. */
  only?: readonly NoticeCode[];
  /** The form whose refusals it says; those of any form when missing. */
  form?: string;
  /** Stands after the sentence, as a link to what comes next: with it the notice stays in the page. */
  children?: ReactNode;
  className?: string;
  /** How long the toast stands that a good notice becomes with JavaScript. */
  toastMs?: number;
};

/**
 * Says what became of the last action (app/http/action-result.server.ts): the message of a form that was refused, or the sentence
 * of the notice in the URL. It is in the server's HTML, and reloading repeats the sentence, not the action. Where a toaster is at
 * hand a good notice that needs no answer becomes a toast; a bad one has to be read and stays (docs/decisions/0019).
 */
export function Notice({ only, form, children, className, toastMs }: NoticeProps) {
  const code = useNotice(only);
  const refusal = useActionData() as Partial<Refusal> | undefined;
  const isToasted = useToast(children === undefined ? code : undefined, toastMs);
  if (refusal?.message && isRefused(refusal, form)) {
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

function isRefused({ kind, form }: Partial<Refusal>, only: string | undefined): boolean {
  return kind === "refused" && typeof form === "string" && (only === undefined || only === form);
}

interface RefusalBannerProps {
  refusal: Pick<Refusal, "message" | "advice">;
  className?: string | undefined;
}

/** Says why an action was refused, and what to do about it. */
export function RefusalBanner({ refusal: { message, advice }, className }: RefusalBannerProps) {
  return (
    <Banner kind="error" className={className}>
      <p className={advice ? "font-medium" : undefined}>{message}</p>
      {advice ? <p>{advice}</p> : null}
    </Banner>
  );
}

/** Shows a good notice as a toast instead, once for each form that was sent; true once it is shown. */
function useToast(code: NoticeCode | undefined, shown: number | undefined): boolean {
  const { key } = useLocation();
  const isAnswer = useIsAnswer();
  const [toastedAt, setToastedAt] = useState<string>();
  // Before the paint, so that nobody sees or hears the sentence in both places, or in none.
  useBeforePaint(() => {
    if (!code || !isAnswer || notices[code].kind !== "success" || !toasts.isWatched()) return;
    toasts.show({ id: key, kind: "success", text: notices[code].text, ...(shown && { shown }) });
    setToastedAt(key);
  }, [code, key, isAnswer, shown]);
  return toastedAt === key;
}

/** The code in the URL, when it is one this place answers for (NoticeProps.only). */
export function useNotice(only?: readonly NoticeCode[]): NoticeCode | undefined {
  const [search] = useSearchParams();
  const code = search.get("notice") ?? "";
  if (!isNoticeCode(code)) return undefined;
  return (only ? only.includes(code) : !FRAME_NOTICES.includes(code)) ? code : undefined;
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(notices, code);
}
