import { Form, Link, useNavigation } from "@remix-run/react";
import { useRef, useState, type ComponentProps } from "react";
import { useLast } from "~/components/use-last";
import { Banner } from "~/components/banner";
import { CampaignStateBadge, isIncomplete } from "~/components/state-badge";
import { DiscardedDraft } from "~/components/discarded-draft";
import { EmailPreview } from "~/components/email-preview";
import { FormField } from "~/components/form-field";
import { Users } from "lucide-react";
import { toUnanswered } from "~/components/keep-form";
import { Notice, useNotice } from "~/components/notice";
import { TextField } from "~/components/text-field";
import { TextLink } from "~/components/text-link";
import { IntentButton } from "~/components/intent-button";
import { CampaignNote } from "~/components/campaign/campaign-note";
import { MessageField } from "~/components/campaign/message-field";
import { TextConflict } from "~/components/campaign/text-conflict";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Item, ItemContent, ItemDescription, ItemTitle } from "~/components/ui/item";
import { NativeSelect } from "~/components/ui/native-select";
import { audienceMessages } from "~/content/audiences";
import { campaignStartMessages } from "~/content/campaign-start";
import { campaignsMessages } from "~/content/campaigns";
import { notices } from "~/content/notices";
import { campaignStatusMessages, outreachMessages as copy } from "~/content/outreach";
import { templateMessages } from "~/content/templates";
import { linkTo } from "~/http/list-state";
import { seconds } from "~/lib/durations";
import { toMaxLength } from "~/lib/max-length";
import type { FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { DraftContent } from "~/services/outreach/drafts.server";
import { isMoving } from "~/services/queue/life-cycle";
import { OutreachProgress } from "./outreach-progress";
import type { AudienceSummary, OutreachView } from "./outreach-view.server";
import { StartFrom } from "./start-from";
import { NarrowDown, type NarrowFields } from "./narrow-down";
import { useAutosave, type Conflict } from "./use-autosave";

export interface RefusedDraft {
  values: DraftContent;
  draftId: string;
  errors: FieldErrors<keyof DraftContent>;
  narrow: NarrowFields;
  audience: AudienceSummary;
  message?: string | undefined;
  conflict?: Conflict;
  /** Of the form as sent; see OpenedDraft. */
  opened: Pick<OutreachView, "contentHash" | "newDraftId">;
}

export const PANEL_ID = "outreach";
/** Specification, section 9. */
const TEST_TOAST_MS = seconds(3);

interface OutreachPanelProps {
  view: OutreachView;
  refused: RefusedDraft | undefined;
  /** True while the confirmation is asked again after a refusal. */
  isConfirming: boolean;
}

/** Email Outreach (specification, section 2): all its state is in its draft and its URL. */
export function OutreachPanel({ view, refused: answer, isConfirming }: OutreachPanelProps) {
  const pending = useNavigation();
  const intent = pending.formMethod === "POST" ? pending.formData?.get("intent") : undefined;
  // A response fills the form anew; without one it keeps what was typed, and its last refusal.
  const unanswered = toUnanswered(answer);
  const [refused, setRefused] = useState(unanswered ? undefined : answer);
  if (answer !== refused && !unanswered) setRefused(answer);
  const { values, errors, draftId } = refused ?? { ...view, errors: {} as RefusedDraft["errors"] };
  const isTestSent = useNotice(["test-sent"]) !== undefined;
  const preview = refused || isConfirming ? undefined : view.preview;
  const form = useRef<HTMLFormElement>(null);
  // A campaign has its draft's id: the form after it, or after a discarded draft, has a key of its own and is empty.
  const left = view.progress?.id ?? view.discarded;
  const filled = useLast(view.filled);
  const formKey = left ? `after ${left}` : [draftId || "new", filled].filter(Boolean).join(" ");
  const {
    written,
    counted,
    counting,
    savedDraft,
    onInput,
    onSubmit,
    isSaved,
    isCopy,
    conflict: autosaveConflict,
  } = useAutosave(form, formKey, answer);
  const conflict = refused?.conflict ?? autosaveConflict;

  return (
    <Card id={PANEL_ID} className="scroll-mt-16">
      <CardHeader>
        <CardTitle>{copy.panelTitle}</CardTitle>
        <CardDescription>{copy.panelDescription}</CardDescription>
      </CardHeader>
      <div className="grid lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        <CardContent className="relative">
          {view.progress ? <OutreachProgress progress={view.progress} /> : null}
          <Notice form="draft" toastMs={isTestSent ? TEST_TOAST_MS : undefined} className="mb-4" />
          {view.planned ? (
            <div className="mb-4">
              <CampaignNote sentence={campaignStartMessages.wasPlanned(view.planned)} />
            </div>
          ) : null}
          <DiscardedDraft
            draftId={view.discarded}
            action={`${paths.dashboard}#${PANEL_ID}`}
            className="mb-4"
          />
          <ReplacedDraft former={view.former} />
          <Form
            ref={form}
            onInput={onInput}
            onSubmit={onSubmit}
            key={formKey}
            method="post"
            action={`${paths.dashboard}#${PANEL_ID}`}
            className="flex flex-col gap-4"
            // Keeps the focus out of the form under the overlay (React 18 has no type for inert).
            {...(view.progress && isMoving(view.progress) ? { inert: "" } : {})}
          >
            <input type="hidden" name="draft" value={savedDraft ?? draftId ?? ""} />
            <OpenedDraft {...(refused?.opened ?? view)} />
            {/* Enter in a field presses the form's first button: this one only saves, and opens or leaves the preview. */}
            <button
              type="submit"
              name="intent"
              value={preview ? "edit" : "preview"}
              hidden
              aria-hidden
              tabIndex={-1}
            />
            {conflict ? (
              <TextConflict
                saved={conflict}
                isRefusal={conflict === refused?.conflict}
                page={linkTo(paths.outreachPanel, { draft: conflict.id, saved: conflict.at })}
                now={view.now}
                copy={toConflictCopy(conflict)}
              />
            ) : null}
            {isCopy ? <Banner kind="error">{notices["draft-confirmed-before"].text}</Banner> : null}
            <div className="grid gap-4 md:grid-cols-2">
              <FormField label={copy.group} error={errors.audience}>
                {(control) => (
                  <NativeSelect {...control} name="audience" defaultValue={values.audience}>
                    {view.groups.map((group) => (
                      <option key={group}>{group}</option>
                    ))}
                  </NativeSelect>
                )}
              </FormField>
              <FormField label={copy.testAddress} required={false} error={errors.testAddress}>
                {(control) => (
                  <div className="flex gap-2">
                    <Input
                      {...control}
                      type="email"
                      name="testAddress"
                      maxLength={254}
                      autoComplete="off"
                      defaultValue={values.testAddress}
                    />
                    <IntentButton intent="test" disabled={intent === "test"}>
                      {copy.sendTest}
                    </IntentButton>
                  </div>
                )}
              </FormField>
            </div>
            <NarrowDown
              fields={refused?.narrow ?? view.narrow}
              summary={counted ?? refused?.audience ?? view.audience}
              campaigns={view.campaigns}
              hasWaves={view.hasWaves}
              counting={counting}
              isPreviewed={preview !== undefined}
            />
            {preview ? (
              <>
                <input type="hidden" name="title" value={values.title} />
                <input type="hidden" name="message" value={values.message} />
                <input type="hidden" name="format" value={values.format} />
                <OutreachPreview
                  group={counted ? undefined : values.audience}
                  isNarrowed={(counted ?? view.audience).isChosen}
                  preview={counted?.preview ?? preview}
                />
                {draftId && view.email ? (
                  <Card role="region" aria-labelledby="email-preview">
                    <CardHeader>
                      <CardTitle asChild>
                        <h3 id="email-preview">{copy.emailTitle}</h3>
                      </CardTitle>
                    </CardHeader>
                    <CardContent className="pt-1">
                      <EmailPreview source={paths.outreachEmail(draftId)} email={view.email} />
                    </CardContent>
                  </Card>
                ) : null}
              </>
            ) : (
              <>
                {view.templates.length > 0 ? (
                  <StartFrom
                    form={form}
                    choices={view.templates}
                    group={values.audience}
                    chosen={view.templateId}
                  />
                ) : null}
                <TextField
                  label={copy.title}
                  error={errors.title}
                  name="title"
                  maxLength={toMaxLength(200)}
                  defaultValue={values.title}
                />
                <MessageField
                  label={copy.message}
                  error={errors.message}
                  values={values}
                  fields={view.fields}
                />
              </>
            )}
            <div className="flex flex-wrap items-center justify-between gap-2">
              <IntentButton intent={preview ? "edit" : "preview"}>
                <Users aria-hidden />
                {preview ? copy.editMessage : copy.previewRecipients}
              </IntentButton>
              <div className="flex flex-wrap items-center gap-2">
                {isSaved ? <span className="text-xs text-muted-foreground">{copy.draftSaved}</span> : null}
                {savedDraft || draftId ? (
                  <IntentButton intent="discard" variant="ghost">
                    {copy.discard}
                  </IntentButton>
                ) : null}
                <IntentButton intent="name-template" variant="ghost">
                  {templateMessages.saveAs}
                </IntentButton>
                <IntentButton intent="save">{copy.saveDraft}</IntentButton>
                <IntentButton intent="send" disabled={intent === "send"} variant="default">
                  {copy.sendEmail}
                </IntentButton>
              </div>
            </div>
          </Form>
        </CardContent>
        <div className="border-t lg:border-t-0 lg:border-l">
          {written && !preview ? (
            <WrittenEmail source={paths.outreachEmail(written.savedDraft)} email={written.email} />
          ) : null}
          <RecentCampaigns campaigns={view.recent} />
        </div>
      </div>
    </Card>
  );
}

/** The email as it was saved last, beside its text; only with JavaScript, which saves while somebody types. */
function WrittenEmail({ source, email }: ComponentProps<typeof EmailPreview>) {
  return (
    <section aria-label={copy.emailTitle} className="border-b p-4 max-lg:hidden">
      <h3 className="mb-3 text-xs font-medium text-muted-foreground">{copy.emailTitle}</h3>
      <EmailPreview source={source} email={email} />
    </section>
  );
}

/** Reports that a draft gave way to one that starts from a template, and links to it. */
function ReplacedDraft({ former }: Pick<OutreachView, "former">) {
  if (!former) return null;
  return (
    <Notice only={["draft-replaced"]} form="none" className="mb-4">
      <p className="mt-1.5">
        <TextLink to={linkTo(paths.outreachPanel, { draft: former })}>{templateMessages.openFormer}</TextLink>
      </p>
    </Notice>
  );
}

interface OutreachPreviewProps {
  /** Undefined while the audience is changed: the line of NarrowDown says which it is. */
  group: string | undefined;
  isNarrowed: boolean;
  preview: NonNullable<OutreachView["preview"]>;
}

/** Previews the audience: the number of recipients and the first five (specification, section 9). */
function OutreachPreview({ group, isNarrowed, preview }: OutreachPreviewProps) {
  const more = preview.chosen - preview.firstFive.length;
  const skipped = preview.total - preview.mailable;
  return (
    <Item role="region" aria-label={copy.previewRecipients} variant="muted" size="sm">
      <ItemContent className="gap-2">
        <ItemTitle>
          {copy.total(preview.chosen)}
          {group ? <span className="font-normal text-muted-foreground"> · {group}</span> : null}
        </ItemTitle>
        <ul className="flex flex-col gap-1 font-mono text-xs">
          {preview.firstFive.map((address) => (
            <li key={address}>{address}</li>
          ))}
        </ul>
        {more > 0 ? <ItemDescription>{copy.more(more)}</ItemDescription> : null}
        {skipped > 0 ? (
          <ItemDescription>
            {isNarrowed ? audienceMessages.leftOut(skipped) : copy.skippedNow(skipped)}
          </ItemDescription>
        ) : null}
      </ItemContent>
    </Item>
  );
}

/** Lists the latest campaigns, each with its status and a link: below the form, or beside it on wide screens. */
function RecentCampaigns({ campaigns }: { campaigns: OutreachView["recent"] }) {
  return (
    <section
      id="latest-campaigns"
      aria-label={campaignStatusMessages.recentTitle}
      className="scroll-mt-16 p-4"
    >
      <h3 className="text-xs font-medium text-muted-foreground">{campaignStatusMessages.recentTitle}</h3>
      {campaigns.length === 0 ? (
        <p className="mt-2 text-muted-foreground">{campaignStatusMessages.noCampaigns}</p>
      ) : null}
      <ul className="mt-1 flex flex-col">
        {campaigns.map((campaign) => (
          <li key={campaign.id} data-row className="flex min-h-9 items-center gap-3">
            <CampaignStateBadge
              state={campaign.state}
              isScheduled={campaign.isScheduled}
              isIncomplete={isIncomplete(campaign.stats)}
            />
            <Link
              to={paths.outreachCampaign(campaign.id)}
              className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
            >
              <bdi>{campaign.title}</bdi>
            </Link>
            <small className="text-sm text-muted-foreground max-sm:hidden">{campaign.audience}</small>
          </li>
        ))}
      </ul>
      <Link
        to={paths.campaigns}
        className="mt-2 inline-block text-primary underline-offset-4 hover:underline"
      >
        {campaignsMessages.seeAll}
      </Link>
    </section>
  );
}

/**
 * Carries the hash of the text the form was opened with, and the id that an empty form is saved under, however
 * often it is sent. Both are kept when the page reloads its data, because the typed text is kept too.
 */
function OpenedDraft(opened: RefusedDraft["opened"]) {
  const [{ contentHash, newDraftId }] = useState(opened);
  return (
    <>
      <input type="hidden" name="base" value={contentHash} />
      <input type="hidden" name="newDraft" value={newDraftId} />
    </>
  );
}

const toConflictCopy = ({ by, isOwn }: Conflict) => ({
  title: isOwn ? copy.conflictOwn : copy.conflict,
  savedBy: copy.conflictSaved(by),
  label: copy.conflictTitle,
  noText: copy.noText,
  keepMine: isOwn ? copy.keepThis : copy.keepMine,
  takeTheirs: copy.takeTheirs,
});
