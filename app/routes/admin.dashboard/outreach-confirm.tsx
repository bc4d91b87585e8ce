import { type ComponentProps, useState } from "react";
import { Banner } from "~/components/banner";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { RefusalBanner } from "~/components/notice";
import { Timestamp } from "~/components/timestamp";
import { outreachMessages as copy } from "~/content/outreach";
import { preflightMessages as preflightCopy } from "~/content/preflight";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { Refusal } from "~/http/action-result.server";
import type { Preflight } from "~/services/outreach/confirm.server";
import type { DraftContent } from "~/services/outreach/drafts.server";
import { DraftText, type ShownText } from "./draft-text";
import type { ScheduleAnswer } from "~/http/schedule-form.server";
import { ScheduleLater } from "~/components/campaign/schedule-fields";
import { CircleAlert, Info } from "lucide-react";
import { duration } from "~/lib/format-time";

/** The answer to a confirmation that was not accepted. */
export interface RefusedConfirmation extends Pick<Refusal, "message" | "advice"> {
  /** The schedule fields as sent, with their errors; undefined where no time was typed. */
  schedule: ScheduleAnswer | undefined;
  /** The text as reviewed, when the draft was changed since; its strings are empty when the form had none. */
  confirmed?: ShownText;
}

interface OutreachConfirmProps {
  draftId: string;
  /** The draft as it is now: the text that pressing "yes" confirms. */
  content: DraftContent;
  lastSave: LastSave;
  now: number;
  preflight: Preflight;
  refused: RefusedConfirmation | undefined;
  later: Pick<ComponentProps<typeof ScheduleLater>, "holdMs" | "clocks">;
}

/** Who saved the draft last. */
export interface LastSave {
  by: string;
  at: number;
  isOwn: boolean;
}

/** The last confirmation. The draft's id becomes the campaign's id, so that pressing twice sends once. */
export function OutreachConfirm(props: OutreachConfirmProps) {
  const { draftId, content, lastSave, now, preflight, refused, later } = props;
  const { audience, title, message } = content;
  // Without JavaScript the button keeps the specification's words.
  const [beginAt, setBeginAt] = useState(refused?.schedule?.values.beginAt ?? "");
  const isLater = beginAt !== "";
  const back = linkTo(paths.outreach, { draft: draftId });
  // Posts to its own address, so that refusals are shown in the same place.
  const page = linkTo(paths.dashboard, { draft: draftId, step: "confirm" });
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      closeTo={back}
      action={page}
      intent="confirm"
      yes={isLater ? copy.confirmLater : copy.confirmYes}
      no={copy.cancel}
      fields={
        <>
          <input type="hidden" name="draft" value={draftId} />
          <input type="hidden" name="content" value={preflight.reviewed.contentHash} />
          <input type="hidden" name="through" value={preflight.reviewed.through} />
          <input type="hidden" name="counted" value={preflight.reviewed.counted} />
          <input type="hidden" name="audience" value={audience} />
          <input type="hidden" name="title" value={title} />
          <input type="hidden" name="message" value={message} />
          <ScheduleLater {...later} answer={refused?.schedule} onBeginAtChange={setBeginAt} />
        </>
      }
    >
      {refused?.message ? <RefusalBanner refusal={refused} /> : null}
      {refused?.confirmed ? (
        <>
          <Banner kind="error" isRefusal title={copy.contentChanged}>
            <bdi>{lastSave.isOwn ? copy.changedByYou : copy.changedBy(lastSave.by)}</bdi>,{" "}
            <Timestamp at={lastSave.at} now={now} />
          </Banner>
          <DraftText label={copy.confirmedText} {...refused.confirmed} />
          <DraftText label={copy.currentText} {...content} />
        </>
      ) : null}
      <p>
        {copy.confirm(preflight.mailable)} {isLater ? copy.canBeUndone : copy.cannotBeUndone}{" "}
        {copy.confirmQuestion}
      </p>
      {refused?.confirmed ? null : (
        <div className="flex flex-col gap-1 border-l-2 pl-3 break-words">
          <p className="font-medium">{title}</p>
          <p className="whitespace-pre-line">{message}</p>
        </div>
      )}
      <OutreachPreflight facts={preflight} />
    </ConfirmDialog>
  );
}

/** Lists the checks before a campaign is confirmed: first the warnings, then what will happen. */
function OutreachPreflight({ facts }: { facts: Preflight }) {
  const { skippedByReason, duplicates, durationMs } = facts;
  const warnings = [
    ...facts.unknownFields.map(preflightCopy.unknownField),
    ...(facts.isWithoutConsent ? [preflightCopy.withoutConsent] : []),
    ...(facts.localOrigin ? [preflightCopy.localOrigin(facts.localOrigin)] : []),
    ...(facts.lacksPostalAddress ? [preflightCopy.noPostalAddress] : []),
  ];
  const notes = [
    ...(duplicates > 0 ? [preflightCopy.duplicates(duplicates)] : []),
    ...(skippedByReason.unsubscribed > 0 ? [preflightCopy.unsubscribed(skippedByReason.unsubscribed)] : []),
    ...(skippedByReason.suppressed > 0 ? [preflightCopy.suppressed(skippedByReason.suppressed)] : []),
    ...(durationMs !== undefined ? [preflightCopy.takes(duration(durationMs))] : []),
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
