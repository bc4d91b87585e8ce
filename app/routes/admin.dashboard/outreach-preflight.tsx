import { CircleAlert, Info } from "~/components/icons";
import { duration } from "~/lib/format-time";
import { operatorMessages } from "~/content/operator-messages";
import type { Preflight } from "~/services/outreach/confirm.server";

const copy = operatorMessages.preflight;

/** What to know before a campaign is confirmed: first what looks like a mistake, then how it will go. */
export function OutreachPreflight({ facts }: { facts: Preflight }) {
  const { skippedByReason, duplicates, durationMs } = facts;
  const warnings = [
    ...facts.unknownFields.map(copy.unknownField),
    ...(facts.isWithoutConsent ? [copy.withoutConsent] : []),
    ...(facts.localOrigin ? [copy.localOrigin(facts.localOrigin)] : []),
    ...(facts.lacksPostalAddress ? [copy.noPostalAddress] : []),
  ];
  const notes = [
    ...(duplicates > 0 ? [copy.duplicates(duplicates)] : []),
    ...(skippedByReason.unsubscribed > 0 ? [copy.unsubscribed(skippedByReason.unsubscribed)] : []),
    ...(skippedByReason.suppressed > 0 ? [copy.suppressed(skippedByReason.suppressed)] : []),
    ...(durationMs !== undefined ? [copy.takes(duration(durationMs))] : []),
  ];
  return (
    <ul className="flex flex-col gap-1.5 text-muted-foreground">
      {warnings.map((text) => (
        <li key={text} className="flex gap-2 text-foreground">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
          <span className="min-w-0 break-words">
            <span className="sr-only">Warning: </span>
            {text}
          </span>
        </li>
      ))}
      {notes.map((text) => (
        <li key={text} className="flex gap-2">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
