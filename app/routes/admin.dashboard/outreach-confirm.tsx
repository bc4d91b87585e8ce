import { type ComponentProps, useState } from "react";
import { Banner } from "~/components/banner";
import { DraftText, type ShownText } from "~/components/campaign/draft-text";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { RefusalBanner } from "~/components/notice";
import { FormField } from "~/components/form-field";
import { NativeSelect } from "~/components/ui/native-select";
import { Timestamp } from "~/components/timestamp";
import { audienceMessages } from "~/content/audiences";
import { outreachMessages as copy } from "~/content/outreach";
import { waveMessages } from "~/content/waves";
import { paceMessages as paceCopy } from "~/content/pace";
import { waveReminderMessages as reminderCopy } from "~/content/wave-reminders";
import { REMINDERS } from "~/lib/wave-reminders";
import { wavePlanMessages as planCopy } from "~/content/wave-plans";
import { preflightMessages as preflightCopy } from "~/content/preflight";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { Refusal } from "~/http/action-result.server";
import type { Preflight } from "~/services/outreach/confirm.server";
import type { DraftContent } from "~/services/outreach/drafts.server";
import type { ScheduleAnswer } from "~/http/schedule-form.server";
import { ScheduleLater } from "~/components/campaign/schedule-fields";
import { CircleAlert, Info } from "lucide-react";
import { PACES, toPace } from "~/lib/campaign-pace";
import { hours } from "~/lib/durations";
import { duration } from "~/lib/format-time";
import { REPEATS } from "~/lib/repeats";

/** A choice as sent. */
interface ChoiceAnswer {
  value: string;
  error?: string;
}

/** The answer to a confirmation that was not accepted. */
export interface RefusedConfirmation extends Pick<Refusal, "message" | "advice"> {
  /** The schedule fields as sent, with their errors; undefined where no time was typed. */
  schedule: ScheduleAnswer | undefined;
  /** The pace as sent; undefined where none was. */
  pace?: ChoiceAnswer | undefined;
  /** How often it repeats, and when people are reminded, as sent. */
  repeat?: ChoiceAnswer | undefined;
  remind?: ChoiceAnswer | undefined;
  /** The text as reviewed, when the draft was changed since; its strings are empty when the form had none. */
  confirmed?: ShownText;
}

interface OutreachConfirmProps {
  draftId: string;
  /** The draft as it is now: the text that pressing "yes" confirms. */
  content: DraftContent;
  /** The narrowed audience in words; undefined for a whole group. */
  audience: string | undefined;
  lastSave: LastSave;
  now: number;
  preflight: Preflight;
  refused: RefusedConfirmation | undefined;
  later: Pick<ComponentProps<typeof ScheduleLater>, "holdMs" | "clocks">;
  /** The start of a draft that was scheduled before; undefined for any other. */
  keptSchedule: ScheduleAnswer | undefined;
  /** The pace of a draft that was confirmed before, and when it reminds, in milliseconds; otherwise 0. */
  keptPace: number;
  keptReminder: number;
  /** How many people each run of a wave invites that can be repeated; undefined for any other campaign. */
  repeatedLimit: number | undefined;
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
  const { keptSchedule, keptPace, keptReminder, repeatedLimit } = props;
  const { audience: group, title, message, format } = content;
  const narrowed = props.audience ?? audienceMessages.everybody;
  const schedule = refused ? refused.schedule : keptSchedule;
  // Without JavaScript the button keeps the words that it was rendered with, whatever time is typed.
  const [beginAt, setBeginAt] = useState(schedule?.values.beginAt ?? "");
  const isLater = beginAt !== "";
  const [paceMs, setPaceMs] = useState(toPace(refused?.pace?.value) ?? keptPace);
  const back = linkTo(paths.outreachPanel, { draft: draftId });
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
          <input type="hidden" name="audience" value={group} />
          <input type="hidden" name="narrowed" value={narrowed} />
          <input type="hidden" name="title" value={title} />
          <input type="hidden" name="message" value={message} />
          <input type="hidden" name="format" value={format} />
          <FormField label={paceCopy.label} hint={paceCopy.hint} error={refused?.pace?.error}>
            {(control) => (
              <NativeSelect
                {...control}
                name="pace"
                defaultValue={paceMs}
                onChange={(event) => setPaceMs(Number(event.currentTarget.value))}
              >
                {PACES.map((each) => (
                  <option key={each} value={each}>
                    {each === 0 ? paceCopy.atOnce : paceCopy.over(each, preflight.chosen)}
                  </option>
                ))}
              </NativeSelect>
            )}
          </FormField>
          {preflight.isWave ? (
            <FormField label={reminderCopy.label} hint={reminderCopy.hint} error={refused?.remind?.error}>
              {(control) => (
                <NativeSelect
                  {...control}
                  name="remind"
                  defaultValue={refused?.remind?.value ?? keptReminder}
                >
                  {REMINDERS.map((each) => (
                    <option key={each} value={each}>
                      {each === 0 ? reminderCopy.never : reminderCopy.choices[each]}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FormField>
          ) : null}
          {repeatedLimit === undefined ? null : (
            <FormField
              label={planCopy.label}
              hint={planCopy.hint(repeatedLimit)}
              error={refused?.repeat?.error}
            >
              {(control) => (
                <NativeSelect {...control} name="repeat" defaultValue={refused?.repeat?.value}>
                  <option value="">{planCopy.once}</option>
                  {REPEATS.map((each) => (
                    <option key={each} value={each}>
                      {planCopy.choices[each]}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </FormField>
          )}
          <ScheduleLater {...later} answer={schedule} onBeginAtChange={setBeginAt} />
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
          <DraftText label={copy.confirmedText} noText={copy.noText} {...refused.confirmed} />
          <DraftText label={copy.currentText} noText={copy.noText} {...content} narrowed={narrowed} />
        </>
      ) : null}
      <p>
        {copy.confirm(preflight.chosen)} {isLater ? copy.canBeUndone : copy.cannotBeUndone}{" "}
        {copy.confirmQuestion}
      </p>
      {props.audience ? (
        <p className="wrap-anywhere">
          <bdi>{audienceMessages.chosen(props.audience, preflight.chosen)}</bdi>
        </p>
      ) : null}
      {refused?.confirmed ? null : (
        <div className="flex flex-col gap-1 border-l-2 pl-3 break-words">
          <p className="font-medium">{title}</p>
          <p className="whitespace-pre-line">{message}</p>
        </div>
      )}
      <OutreachPreflight
        facts={preflight}
        isNarrowed={props.audience !== undefined || preflight.isWave}
        paceMs={paceMs}
      />
    </ConfirmDialog>
  );
}

interface PreflightProps {
  facts: Preflight;
  isNarrowed: boolean;
  paceMs: number;
}

/** Lists the checks before a campaign is confirmed: first the warnings, then what will happen. */
function OutreachPreflight({ facts, isNarrowed, paceMs }: PreflightProps) {
  const { duplicates, durationMs = 0, newSender } = facts;
  const leftOut = facts.total - facts.mailable;
  const skippedByReason = isNarrowed ? { unsubscribed: 0, suppressed: 0 } : facts.skippedByReason;
  const warnings = [
    ...(newSender && paceMs < hours(24)
      ? [preflightCopy.newSender(newSender.domain, newSender.sent, facts.chosen)]
      : []),
    ...facts.fieldsWithoutDefault.map(preflightCopy.noDefault),
    ...(facts.isWithoutConsent ? [preflightCopy.withoutConsent] : []),
    ...(facts.localOrigin ? [preflightCopy.localOrigin(facts.localOrigin)] : []),
    ...(facts.lacksPostalAddress ? [preflightCopy.noPostalAddress] : []),
  ];
  const notes = [
    ...(facts.isWave ? [waveMessages.preflight(facts.chosen)] : []),
    ...(isNarrowed && leftOut > 0 ? [audienceMessages.leftOut(leftOut)] : []),
    ...(duplicates > 0 ? [preflightCopy.duplicates(duplicates)] : []),
    ...(skippedByReason.unsubscribed > 0 ? [preflightCopy.unsubscribed(skippedByReason.unsubscribed)] : []),
    ...(skippedByReason.suppressed > 0 ? [preflightCopy.suppressed(skippedByReason.suppressed)] : []),
    ...(paceMs > durationMs
      ? [preflightCopy.takesSpread(duration(paceMs))]
      : durationMs > 0
        ? [preflightCopy.takes(duration(durationMs))]
        : []),
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
