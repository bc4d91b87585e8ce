import { useLocation, useSearchParams } from "@remix-run/react";
import { useState, type ReactNode } from "react";
import { useIsAnswer } from "~/components/answered";
import { Banner } from "~/components/banner";
import { toasts } from "~/components/toast-queue";
import { useBeforePaint } from "~/components/use-before-paint";
import { type NoticeCode, notices } from "~/content/operator-messages";

/** What the frame of the back office says above whatever page it leads to. */
export const FRAME_NOTICES: readonly NoticeCode[] = ["welcome"];

type NoticeProps = {
  /** The codes this place answers for; all but those of the frame when missing. */
  only?: readonly NoticeCode[];
  /** Stands after the sentence, as a link to what comes next: with it the notice stays in the page. */
  children?: ReactNode;
  className?: string;
  /** How long the toast stands that a good notice becomes with JavaScript. */
  toastMs?: number;
};

/**
 * What the last form did: an action that succeeds redirects to `?notice=<code>`, and this says the code's sentence. It is
 * in the server's HTML, and reloading repeats the sentence, not the deed. Where a toaster is at hand a good notice that
 * needs no answer becomes a toast; a bad one has to be read and stays (docs/decisions/0019).
 */
export function Notice({ only, children, className, toastMs }: NoticeProps) {
  const code = useNotice(only);
  const isToasted = useToast(children === undefined ? code : undefined, toastMs);
  if (!code || isToasted) return null;
  const { kind, text } = notices[code];
  return (
    <Banner kind={kind} className={className}>
      {text}
      {children}
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
