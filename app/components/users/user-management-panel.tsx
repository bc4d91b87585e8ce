import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useId, useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { CopyableCode } from "~/components/copyable-code";
import { ColleagueFields } from "~/components/users/colleague-fields";
import { UserPlus } from "lucide-react";
import { RefusalBanner } from "~/components/notice";
import { TextLink } from "~/components/text-link";
import { ExactTime } from "~/components/timestamp";
import { IntentButton } from "~/components/intent-button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { useHydrated } from "~/components/use-hydrated";
import { useLast } from "~/components/use-last";
import { userMessages as copy } from "~/content/users";
import type { IssuedAnswer, UsersAnswer } from "~/http/user-form.server";
import { linkTo, type UrlState } from "~/http/list-state";
import { seconds } from "~/lib/durations";
import { paths } from "~/paths";

const PANEL_ID = "user-management";

interface UserManagementPanelProps {
  answer: UsersAnswer | undefined;
  /**
   * The order and the page of the list on the Users screen, which shows the answer itself. Elsewhere it is left out: the panel
   * has that screen's name as a title and links to it.
   */
  list?: UrlState;
}

/** The User Management panel (specification, section 2), for superadmins only; each screen handles its form. */
export function UserManagementPanel({ answer, list }: UserManagementPanelProps) {
  const isAtHome = list !== undefined;
  const isAdding = useNavigation().formData?.get("intent") === "add";
  const titleId = useId();
  const isAdded = answer?.kind === "issued" && answer.intent === "add";
  const added = useLast(isAdded ? answer.temporaryPassword : undefined);
  const fields = answer?.kind === "refused" ? answer.fields : undefined;

  return (
    <Card role="region" aria-labelledby={titleId} id={PANEL_ID} className="scroll-mt-16">
      <CardHeader>
        <CardTitle id={titleId}>{isAtHome ? copy.addTitle : copy.title}</CardTitle>
        {isAtHome ? null : (
          <CardAction>
            <TextLink to={paths.users}>{copy.seeAll}</TextLink>
          </CardAction>
        )}
        <CardDescription>{copy.note}</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-4">
        {isAtHome || !answer ? null : answer.kind === "issued" ? (
          <TemporaryPassword key={answer.temporaryPassword} issued={answer} />
        ) : (
          <RefusalBanner refusal={answer} />
        )}
        <Form
          method="post"
          action={isAtHome ? linkTo(paths.users, list) : `${paths.dashboard}#${PANEL_ID}`}
          // Remounts, and so empties, the form after each user added.
          key={`form ${added}`}
          className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
        >
          <ColleagueFields labels={copy} fields={fields} />
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
      </CardContent>
    </Card>
  );
}

/** Specification, section 9: temporary password shown 5 s. */
const SHOWN_MS = seconds(5);

/** Shows a temporary password once; JavaScript hides it after 5 s, unless it is pointed at, focused or copied. */
export function TemporaryPassword({ issued }: { issued: IssuedAnswer }) {
  const { intent, email, fullName, temporaryPassword, expiresAt } = issued;
  const message = intent === "add" ? copy.created : copy.reissued;
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const [isTimeOver, setTimeOver] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const hydrated = useHydrated();
  const isHeld = isPointedAt || isFocused || isCopied;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => setTimeOver(true), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  // Keyboard users land here, which keeps the password visible; after a click the focus is not visible and does not.
  // The focus scrolls here too, from wherever the account was in the list; without a clipboard to the password itself.
  useEffect(() => (copyButton.current ?? body.current)?.focus(), []);

  // Both are checked, because the time may run out in the very moment somebody points at it.
  if (isTimeOver && !isHeld) return <Banner kind="success">{`${message}. ${copy.issuedHidden}`}</Banner>;
  return (
    <Banner kind="success" title={message}>
      <div
        ref={body}
        tabIndex={-1}
        className="flex flex-col gap-2"
        // Not onPointerEnter: React misses it when the pointer comes from the button that was just replaced.
        onPointerOver={() => setPointedAt(true)}
        onPointerLeave={() => setPointedAt(false)}
        onFocus={(event) => setFocused(event.target.matches(":focus-visible"))}
        onBlur={() => setFocused(false)}
      >
        <p className="wrap-anywhere">
          <bdi>{copy.issuedTitle(fullName, email)}</bdi>
        </p>
        <CopyableCode ref={copyButton} text={temporaryPassword} onCopied={() => setCopied(true)} />
        <p>
          {copy.issuedUntil} <ExactTime at={expiresAt} />. {copy.issuedAdvice}
        </p>
        {hydrated && !isCopied ? <p className="text-xs text-muted-foreground">{copy.issuedHides}</p> : null}
      </div>
    </Banner>
  );
}
