import { useEffect, useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { CopyButton } from "~/components/copy-button";
import { useHydrated } from "~/components/use-hydrated";
import { seconds } from "~/lib/durations";
import { utcTime } from "~/lib/format-time";
import { userMessages as copy } from "~/content/users";

/** Specification, section 9: temporary password shown 5 s. */
const SHOWN_MS = seconds(5);

interface IssuedPasswordProps {
  issued: {
    message: string;
    email: string;
    fullName: string;
    temporaryPassword: string;
    expiresAt: number;
  };
}

/** Shows a temporary password once; JavaScript hides it after 5 s, unless it is pointed at, focused or copied. */
export function IssuedPassword({ issued }: IssuedPasswordProps) {
  const { message, email, fullName, temporaryPassword, expiresAt } = issued;
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const [isTimeOver, setTimeOver] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  const hydrated = useHydrated();
  const isHeld = isPointedAt || isFocused || isCopied;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => setTimeOver(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  // Keyboard users land here, which keeps the password visible; after a click the focus is not visible and does not.
  useEffect(() => copyButton.current?.focus({ preventScroll: true }), []);

  // Both are checked, because the time may run out in the very moment somebody points at it.
  if (isTimeOver && !isHeld) return <Banner kind="success">{`${message}. ${copy.issuedHidden}`}</Banner>;
  return (
    <Banner kind="success">
      <p className="font-medium">{message}</p>
      <div
        className="mt-3 flex flex-col gap-2"
        // Not onPointerEnter: React misses it when the pointer comes from the button that was just replaced.
        onPointerOver={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(false)}
        onFocus={(event) => setFocused(event.target.matches(":focus-visible"))}
        onBlur={() => setFocused(false)}
      >
        <p className="wrap-anywhere">
          <bdi>{copy.issuedTitle(fullName, email)}</bdi>
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-md border bg-surface px-3 py-1.5 font-mono text-lg select-all">
            {temporaryPassword}
          </code>
          <CopyButton ref={copyButton} text={temporaryPassword} onCopied={() => setCopied(true)} />
        </div>
        <p>
          {copy.issuedUntil} <time dateTime={new Date(expiresAt).toISOString()}>{utcTime(expiresAt)}</time>.{" "}
          {copy.issuedAdvice}
        </p>
        {hydrated && !isCopied ? <p className="text-xs text-muted-foreground">{copy.issuedHides}</p> : null}
      </div>
    </Banner>
  );
}
