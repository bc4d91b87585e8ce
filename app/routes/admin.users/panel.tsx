import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { CopyButton } from "~/components/copy-button";
import { UserPlus } from "lucide-react";
import { RefusalBanner } from "~/components/notice";
import { TextField } from "~/components/text-field";
import { TextLink } from "~/components/text-link";
import { IntentButton } from "~/components/intent-button";
import { useHydrated } from "~/components/use-hydrated";
import { userMessages as copy } from "~/content/users";
import { seconds } from "~/lib/durations";
import { utcTime } from "~/lib/format-time";
import { paths } from "~/paths";
import type { UsersAnswer } from "./actions.server";

const PANEL_ID = "user-management";

interface UserManagementPanelProps {
  answer: UsersAnswer | undefined;
  /** True on the Users screen. Elsewhere the panel has that screen's name as a title and links to it. */
  isAtHome?: boolean;
}

/** The User Management panel (specification, section 2), for superadmins only; each screen handles its form. */
export function UserManagementPanel({ answer, isAtHome = false }: UserManagementPanelProps) {
  const isAdding = useNavigation().formData?.get("intent") === "add";
  const titleId = useId();
  const fields = answer && "fields" in answer ? answer.fields : undefined;

  return (
    <section aria-labelledby={titleId} id={PANEL_ID} className="scroll-mt-16 rounded-lg border bg-card p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={titleId} className="text-sm font-semibold">
          {isAtHome ? copy.addTitle : copy.title}
        </h2>
        {isAtHome ? null : <TextLink to={paths.users}>{copy.seeAll}</TextLink>}
        <p className="basis-full text-xs text-muted-foreground">{copy.note}</p>
      </div>
      {isAtHome || !answer ? null : (
        <div className="mt-4">
          {answer.kind === "issued" ? (
            <TemporaryPassword key={answer.temporaryPassword} issued={answer} />
          ) : (
            <RefusalBanner refusal={answer} />
          )}
        </div>
      )}
      <Form
        method="post"
        action={isAtHome ? paths.users : `${paths.dashboard}#${PANEL_ID}`}
        // Remounts, and so empties, the form after each user added.
        key={answer?.kind === "issued" ? answer.temporaryPassword : "form"}
        className="mt-4 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <TextField
          label={copy.email}
          error={fields?.errors.email}

          type="email"
          name="email"
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={fields?.values.email}
        />
        <TextField
          label={copy.fullName}
          error={fields?.errors.fullName}

          name="fullName"
          maxLength={400}
          autoComplete="off"
          defaultValue={fields?.values.fullName}
        />
        <IntentButton
          intent="add"
          disabled={isAdding}
          className="max-md:justify-self-start md:mt-6.5"
          variant="default"
        >
          <UserPlus aria-hidden />
          {isAdding ? copy.adding : copy.add}
        </IntentButton>
      </Form>
    </section>
  );
}

/** Specification, section 9: temporary password shown 5 s. */
const SHOWN_MS = seconds(5);

/** Shows a temporary password once; JavaScript hides it after 5 s, unless it is pointed at, focused or copied. */
export function TemporaryPassword({ issued }: { issued: Extract<UsersAnswer, { kind: "issued" }> }) {
  const { message, email, fullName, temporaryPassword, expiresAt } = issued;
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const [isTimeOver, setTimeOver] = useState(false);
  const banner = useRef<HTMLDivElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const hydrated = useHydrated();
  const isHeld = isPointedAt || isFocused || isCopied;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => setTimeOver(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  // Keyboard users land here, which keeps the password visible; after a click the focus is not visible and does not.
  // The focus scrolls here too, from wherever the account was in the list; without a clipboard to the whole banner.
  useEffect(() => (copyButton.current ?? banner.current)?.focus(), []);

  // Both are checked, because the time may run out in the very moment somebody points at it.
  if (isTimeOver && !isHeld) return <Banner kind="success">{`${message}. ${copy.issuedHidden}`}</Banner>;
  return (
    <Banner ref={banner} kind="success">
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
          <code className="rounded-md border bg-card px-3 py-1.5 font-mono text-lg select-all">
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
