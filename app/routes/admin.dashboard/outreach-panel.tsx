import { Form, Link, useNavigation } from "@remix-run/react";
import { useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { CampaignStateBadge, hasMissed } from "~/components/state-badge";
import { DiscardedDraft } from "~/components/discarded-draft";
import { EmailPreview } from "~/components/email-preview";
import { FormField } from "~/components/form-field";
import { Users } from "lucide-react";
import { Notice } from "~/components/notice";
import { TextField } from "~/components/text-field";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { Item, ItemContent, ItemDescription, ItemTitle } from "~/components/ui/item";
import { NativeSelect } from "~/components/ui/native-select";
import { Textarea } from "~/components/ui/textarea";
import { campaignsMessages } from "~/content/campaigns";
import { campaignStatusMessages, outreachMessages as copy } from "~/content/outreach";
import { linkTo } from "~/http/list-state";
import { seconds } from "~/lib/durations";
import type { FieldErrors } from "~/lib/parse-form";
import { paths } from "~/paths";
import type { DraftContent } from "~/services/outreach/drafts.server";
import { isRunning } from "~/services/queue/life-cycle";
import { DraftText } from "./draft-text";
import { OutreachConfirm, type RefusedConfirmation } from "./outreach-confirm";
import { OutreachProgress } from "./outreach-progress";
import type { OutreachView } from "./outreach-view.server";
import { useAutosave, type Conflict } from "./use-autosave";

export interface RefusedDraft {
  values: DraftContent;
  draftId: string;
  errors: FieldErrors<keyof DraftContent>;
  message?: string | undefined;
  conflict?: Conflict;
}

export const PANEL_ID = "outreach";
/** Specification, section 9. */
const TEST_TOAST_MS = seconds(3);

interface OutreachPanelProps {
  view: OutreachView;
  refused: RefusedDraft | undefined;
  /** The refusal of the confirmation step, which stays open. */
  confirmation: RefusedConfirmation | undefined;
}

/** Email Outreach (specification, section 2): all its state is in its draft and its URL. */
export function OutreachPanel({ view, refused, confirmation }: OutreachPanelProps) {
  const pending = useNavigation();
  const intent = pending.formMethod === "POST" ? pending.formData?.get("intent") : undefined;
  const { values, errors, draftId } = refused ?? { ...view, errors: {} as RefusedDraft["errors"] };
  const preview = refused || confirmation ? undefined : view.preview;
  const form = useRef<HTMLFormElement>(null);
  // A campaign has its draft's id: the form after it, or after a discarded draft, has a key of its own and is empty.
  const left = view.progress?.id ?? view.discarded;
  const formKey = left ? `after ${left}` : draftId || "new";
  const { savedDraft, onInput, onSubmit, isSaved, conflict: autosaveConflict } = useAutosave(form, formKey);
  const conflict = refused?.conflict ?? autosaveConflict;

  return (
    <Card id={PANEL_ID} className="scroll-mt-16">
      <CardHeader>
        <CardTitle>{copy.panelTitle}</CardTitle>
        <CardDescription>{copy.panelDescription}</CardDescription>
      </CardHeader>
      <div className="grid xl:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        <CardContent className="relative">
          {view.progress ? <OutreachProgress progress={view.progress} /> : null}
          <Notice form="draft" toastMs={TEST_TOAST_MS} className="mb-4" />
          <DiscardedDraft
            draftId={view.discarded}
            action={`${paths.dashboard}#${PANEL_ID}`}
            className="mb-4"
          />
          <Form
            ref={form}
            onInput={onInput}
            onSubmit={onSubmit}
            key={formKey}
            method="post"
            action={`${paths.dashboard}#${PANEL_ID}`}
            className="flex flex-col gap-4"
            // Keeps the focus out of the form under the overlay (React 18 has no type for inert).
            {...(view.progress && isRunning(view.progress) ? { inert: "" } : {})}
          >
            <input type="hidden" name="draft" value={savedDraft ?? draftId ?? ""} />
            <OpenedDraft contentHash={view.contentHash} newDraftId={view.newDraftId} />
            {/* Enter in a field presses the form's first button: this one only saves and previews. */}
            <button
              type="submit"
              name="intent"
              value={preview ? "edit" : "preview"}
              hidden
              aria-hidden
              tabIndex={-1}
            />
            {conflict ? (
              <DraftConflict saved={conflict} isRefusal={conflict === refused?.conflict} now={view.now} />
            ) : null}
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
            {preview ? (
              <>
                <input type="hidden" name="title" value={values.title} />
                <input type="hidden" name="message" value={values.message} />
                <OutreachPreview group={values.audience} preview={preview} />
                {draftId && view.email ? (
                  <Card role="region" aria-labelledby="email-preview">
                    <CardHeader>
                      <CardTitle asChild>
                        <h3 id="email-preview">{copy.emailTitle}</h3>
                      </CardTitle>
                    </CardHeader>
                    <CardContent className="pt-1">
                      <EmailPreview campaignId={draftId} email={view.email} />
                    </CardContent>
                  </Card>
                ) : null}
              </>
            ) : (
              <>
                <TextField
                  label={copy.title}
                  error={errors.title}
                  name="title"
                  maxLength={400}
                  defaultValue={values.title}
                />
                <FormField label={copy.message} hint={copy.messageHint} error={errors.message}>
                  {(control) => (
                    <Textarea {...control} name="message" rows={8} defaultValue={values.message} />
                  )}
                </FormField>
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
                <IntentButton intent="save">{copy.saveDraft}</IntentButton>
                <IntentButton intent="send" disabled={intent === "send"} variant="default">
                  {copy.sendEmail}
                </IntentButton>
              </div>
            </div>
          </Form>
          {view.confirming && !refused && draftId ? (
            <OutreachConfirm
              draftId={draftId}
              content={view.values}
              lastSave={view.confirming.lastSave}
              now={view.now}
              preflight={view.confirming.preflight}
              refused={confirmation}
              later={{ holdMs: view.holdMs, clocks: view.confirming.clocks }}
            />
          ) : null}
        </CardContent>
        <RecentCampaigns campaigns={view.recent} />
      </div>
    </Card>
  );
}

interface OutreachPreviewProps {
  group: string;
  preview: NonNullable<OutreachView["preview"]>;
}

/** Previews the audience: the number of recipients and the first five (specification, section 9). */
function OutreachPreview({ group, preview }: OutreachPreviewProps) {
  const more = preview.mailable - preview.firstFive.length;
  const skipped = preview.total - preview.mailable;
  return (
    <Item role="region" aria-label={copy.previewRecipients} variant="muted" size="sm">
      <ItemContent className="gap-2">
        <ItemTitle>
          {copy.total(preview.mailable)} <span className="font-normal text-muted-foreground">· {group}</span>
        </ItemTitle>
        <ul className="flex flex-col gap-1 font-mono text-xs">
          {preview.firstFive.map((address) => (
            <li key={address}>{address}</li>
          ))}
        </ul>
        {more > 0 ? <ItemDescription>{copy.more(more)}</ItemDescription> : null}
        {skipped > 0 ? <ItemDescription>{copy.skippedNow(skipped)}</ItemDescription> : null}
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
      className="scroll-mt-16 border-t p-4 xl:border-t-0 xl:border-l"
    >
      <h3 className="text-xs font-medium text-muted-foreground">{campaignStatusMessages.recentTitle}</h3>
      {campaigns.length === 0 ? (
        <p className="mt-2 text-muted-foreground">{campaignStatusMessages.noCampaigns}</p>
      ) : null}
      <ul className="mt-1 flex flex-col">
        {campaigns.map((campaign) => (
          <li key={campaign.id} className="flex min-h-9 items-center gap-3">
            <CampaignStateBadge
              state={campaign.state}
              hasBegun={campaign.hasBegun}
              isMixed={hasMissed(campaign.stats)}
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
function OpenedDraft(view: Pick<OutreachView, "contentHash" | "newDraftId">) {
  const [{ contentHash, newDraftId }] = useState(view);
  return (
    <>
      <input type="hidden" name="base" value={contentHash} />
      <input type="hidden" name="newDraft" value={newDraftId} />
    </>
  );
}

/** Shows the version that was saved while this form was open, above the form's own, and asks which to keep. */
function DraftConflict({ saved, isRefusal, now }: { saved: Conflict; isRefusal: boolean; now: number }) {
  return (
    <Banner kind="error" isRefusal={isRefusal} title={saved.isOwn ? copy.conflictOwn : copy.conflict}>
      <p>
        <bdi>{copy.conflictSaved(saved.by)}</bdi>, <Timestamp at={saved.at} now={now} />
      </p>
      <DraftText
        label={copy.conflictTitle}
        audience={saved.audience}
        title={saved.title}
        message={saved.message}
        className="my-3"
      />
      <input type="hidden" name="theirs" value={saved.contentHash} />
      <div className="flex flex-wrap gap-2">
        <IntentButton intent="save-mine">{saved.isOwn ? copy.keepThis : copy.keepMine}</IntentButton>
        <ButtonLink
          to={linkTo(paths.outreach, { draft: saved.id })}
          // Reloads the document, so that the form is filled from the saved text.
          reloadDocument
          variant="ghost"
        >
          {copy.takeTheirs}
        </ButtonLink>
      </div>
    </Banner>
  );
}
