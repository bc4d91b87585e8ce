import { useLocation, useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Banner } from "~/components/banner";
import { type NoticeCode, notices } from "~/operator-messages";

type NoticeProps = {
  /** The codes this place answers for; all of them when missing. */
  only?: readonly NoticeCode[];
  /** Stands after the sentence, as a link to what comes next. */
  children?: ReactNode;
  className?: string;
  /** With JavaScript a good notice goes away by itself after so long. */
  goneAfterMs?: number;
};

/**
 * What the last form did: an action that succeeds redirects to `?notice=<code>`, and this says the code's sentence. It is
 * in the server's HTML, and reloading repeats the sentence, not the deed.
 */
export function Notice({ only, children, className, goneAfterMs }: NoticeProps) {
  const code = useNotice(only);
  const shown = useFor(code && notices[code].kind === "success" ? goneAfterMs : undefined);
  if (!code || !shown) return null;
  const { kind, text } = notices[code];
  return (
    <Banner kind={kind} className={className}>
      {text}
      {children}
    </Banner>
  );
}

/** True for so long after each navigation, or for ever without a time. */
function useFor(ms: number | undefined): boolean {
  const { key } = useLocation();
  const [goneAt, setGoneAt] = useState<string>();
  useEffect(() => {
    if (ms === undefined) return;
    const timer = setTimeout(() => setGoneAt(key), ms);
    return () => clearTimeout(timer);
  }, [ms, key]);
  return goneAt !== key;
}

/** The code in the URL, when it is a known one and, with `only`, one of those. */
export function useNotice(only?: readonly NoticeCode[]): NoticeCode | undefined {
  const [search] = useSearchParams();
  const code = search.get("notice") ?? "";
  if (!isNoticeCode(code)) return undefined;
  return !only || only.includes(code) ? code : undefined;
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(notices, code);
}
