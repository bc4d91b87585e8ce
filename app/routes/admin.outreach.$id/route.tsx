import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { Banner } from "~/components/banner";
import { CampaignButton } from "~/components/campaign/campaign-button";
import { CampaignNote } from "~/components/campaign/campaign-note";
import { ScheduleFields } from "~/components/campaign/schedule-fields";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DeliveryTable } from "~/components/delivery-table";
import { EmailPreview } from "~/components/email-preview";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { useIsWide } from "~/components/list-detail";
import { ListFilter, SearchField } from "~/components/list-filter";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { PersonLink } from "~/components/person-link";
import { StatFigures } from "~/components/stat-figures";
import {
  CampaignStateBadge,
  DeliveryDetail,
  DeliveryStateBadge,
  isIncomplete,
} from "~/components/state-badge";
import { TextField } from "~/components/text-field";
import { TextLink } from "~/components/text-link";
import { useTimeZone } from "~/components/time-zone";
import { UnbrokenTimes } from "~/components/unbroken-times";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Button } from "~/components/ui/button";
import { Card, CardContent } from "~/components/ui/card";
import { Collapsible, CollapsibleIcon, CollapsibleTrigger } from "~/components/ui/collapsible";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { campaignsMessages } from "~/content/campaigns";
import { wavePlanMessages } from "~/content/wave-plans";
import { campaignStartMessages as startCopy } from "~/content/campaign-start";
import {
  campaignStatusMessages as copy,
  failureReason,
  formatSkipReasons,
  outreachMessages,
  skipReason,
} from "~/content/outreach";
import { toList } from "~/http/list-detail";
import { linkTo, toPageLinks } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { zonedMinute } from "~/lib/format-time";
import { toMaxLength } from "~/lib/max-length";
import { paths } from "~/paths";
import { access, alerts } from "~/services/container.server";
import { isStartAhead } from "~/services/outreach/schedule";
import { isMoving } from "~/services/queue/life-cycle";
import { actOnCampaign } from "./actions.server";
import { type CampaignView, getCampaignView } from "./campaign-view.server";
import { WaveFigures, WaveFunnel } from "./wave";

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.campaign.title ?? "Campaign") },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { id = "" } = params;
  await alerts.open(operator.accountId, "campaign", id);
  return getCampaignView(id, request, operator);
}

export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnCampaign(params.id ?? "", request, operator);
}

export const clientAction = keepForm();

/** One campaign: its stats, why it is on hold, and every recipient. */
export default function Campaign() {
  const view = useLoaderData<typeof loader>();
  const timeZone = useTimeZone();
  const isWide = useIsWide();
  const { campaign, stats, waiting, hold, retried, step, now } = view;
  const isBeingSkipped = stats.state === "cancelled" && stats.pending > 0;
  const refused = useActionData<typeof action>();
  const inert = useInert(step !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={campaign.title}
          parent={{
            to: toList(paths.campaigns, view.from),
            name: campaignsMessages.title,
            preventScrollReset: isWide,
          }}
          state={
            <>
              {copy.summary(campaign.audience, campaign.createdBy, campaign.narrowed)}
              {view.template ? <StartedFrom template={view.template} /> : null}
            </>
          }
          actions={
            <CampaignStateBadge
              state={stats.state}
              isScheduled={isStartAhead(waiting)}
              isIncomplete={isIncomplete(stats)}
            />
          }
        />
        {(isMoving(stats) || isBeingSkipped) && !step ? (
          <AutoRefresh everySeconds={view.isSlow ? 30 : 1} version={now} />
        ) : null}
        <Toolbar view={view} />
        <Notice className="mb-4" />
        {retried ? (
          <Banner kind={retried.changed > 0 ? "success" : "info"} className="mb-4">
            {copy.retried(retried.changed, retried.suppressed)}
          </Banner>
        ) : null}
        <div className="flex flex-col gap-4">
          {hold ? <CampaignNote {...hold} /> : null}
          {view.pace ? <CampaignNote sentence={view.pace} /> : null}
          {view.reminder ? <CampaignNote sentence={view.reminder} /> : null}
          {view.plan ? <Plan {...view.plan} /> : null}
          {!waiting && stats.state === "sending" && stats.nextAttemptAt !== undefined ? (
            <CampaignNote
              sentence={`${outreachMessages.onlyRetries(stats.pending, zonedMinute(stats.nextAttemptAt, timeZone))}.`}
            />
          ) : null}
          <CampaignStats view={view} />
          {view.wave ? <WaveFigures id={campaign.id} wave={view.wave} /> : null}
          {view.wave?.funnel && view.wave.funnel.total.people > 0 ? (
            <WaveFunnel id={campaign.id} funnel={view.wave.funnel} />
          ) : null}
          <Reasons view={view} />
          {view.suppressed > 0 ? <Suppressed page={view.page} count={view.suppressed} /> : null}
          {stats.uncertain > 0 ? (
            <Uncertain count={stats.uncertain} isCancelled={stats.state === "cancelled"} />
          ) : null}
          <SearchForm view={view} />
          <Deliveries view={view} />
          {view.email ? (
            <Card>
              <Collapsible>
                <CollapsibleTrigger className="rounded-lg px-4 py-3 text-sm font-semibold hover:bg-muted/60">
                  <CollapsibleIcon className="-ml-1" />
                  {outreachMessages.emailTitle}
                </CollapsibleTrigger>
                <CardContent>
                  <EmailPreview source={paths.outreachEmail(campaign.id)} email={view.email} />
                </CardContent>
              </Collapsible>
            </Card>
          ) : null}
        </div>
      </div>
      <Question view={view} answer={refused} />
    </>
  );
}

/** Names the template that the text came from, which may be changed or deleted since. */
function StartedFrom({ template: { id, name } }: { template: NonNullable<CampaignView["template"]> }) {
  if (name === undefined) return <> {copy.fromDeleted}</>;
  return (
    <>
      {" "}
      {copy.startedFrom}{" "}
      <TextLink to={paths.template(id)}>
        <bdi>{name}</bdi>
      </TextLink>
      .
    </>
  );
}

/**
 * The buttons that a campaign's status allows, on a line above everything that changes by itself. Those that stop and resume the
 * campaign are at the other end of the line, so that no button appears where another one was, but Resume where Pause was.
 */
function Toolbar({ view: { page, stats, waiting, allows } }: { view: CampaignView }) {
  const paused = stats.state === "paused";
  const isHeld = waiting?.for === "hold";
  const isMissed = waiting?.for === "missed";
  return (
    <Form method="post" className="mb-4 flex items-start justify-between gap-2 max-sm:flex-col">
      <div className="flex flex-wrap gap-2">
        <IntentButton intent="copy">{copy.copyAsDraft}</IntentButton>
        {allows.edit ? <CampaignButton intent="edit" page={page} isHeld={isHeld} /> : null}
        {allows.begin ? <CampaignButton intent="begin" page={page} isHeld={isHeld} /> : null}
        {allows.reschedule ? (
          <ButtonLink to={linkTo(page, { step: "reschedule" })} preventScrollReset>
            {startCopy.reschedule}
          </ButtonLink>
        ) : null}
        {canRetry(stats) ? <IntentButton intent="retry-failed">{copy.retryFailed}</IntentButton> : null}
      </div>
      <div className="flex flex-wrap justify-end gap-2 empty:hidden max-sm:self-end">
        {isMoving(stats) ? <IntentButton intent="pause">{copy.pause}</IntentButton> : null}
        {paused && !isMissed ? <IntentButton intent="resume">{copy.resume}</IntentButton> : null}
        {allows.cancel ? <CampaignButton intent="cancel" page={page} isHeld={isHeld} /> : null}
      </div>
    </Form>
  );
}

/** Returns whether Retry failed may send something. */
const canRetry = ({ failed, state }: CampaignView["stats"]) => failed > 0 && state !== "cancelled";

/** Says when a wave that repeats comes again, or why it does not. */
function Plan({ sentence, isOver }: NonNullable<CampaignView["plan"]>) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-80">
          <UnbrokenTimes>{sentence}</UnbrokenTimes>
        </p>
        {isOver ? null : (
          <Form method="post">
            <IntentButton intent="stop-repeating">{wavePlanMessages.stop}</IntentButton>
          </Form>
        )}
      </CardContent>
    </Card>
  );
}

/** Reports emails that may or may not have arrived, for an operator to decide. A cancelled campaign sends none again. */
function Uncertain({ count, isCancelled }: { count: number; isCancelled: boolean }) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-80">{copy.uncertainQuestion(count)}</p>
        <Form method="post" className="flex flex-wrap gap-2">
          <input type="hidden" name="intent" value="decide" />
          {isCancelled ? null : (
            <Button type="submit" name="decision" value="resend" variant="outline">
              {copy.resend}
            </Button>
          )}
          <Button type="submit" name="decision" value="count-as-sent" variant="outline">
            {copy.countAsSent}
          </Button>
        </Form>
      </CardContent>
    </Card>
  );
}

/** Offers to release what mail servers suppressed because of this campaign, for when the fault was ours. */
function Suppressed({ page, count }: { page: string; count: number }) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-80">{copy.suppressed(count)}</p>
        <ButtonLink to={linkTo(page, { step: "release" })} preventScrollReset>
          {copy.releaseSuppressed}
        </ButtonLink>
      </CardContent>
    </Card>
  );
}

/** Shows the stats, which add up: selected = sent + failed + skipped + uncertain + waiting. */
function CampaignStats({ view: { page, stats, filter } }: { view: CampaignView }) {
  return (
    <StatFigures
      page={page}
      selected={filter.state}
      label={copy.delivery}
      figures={[
        {
          label: copy.selected,
          count: stats.selected,
          note: stats.goneSinceReview > 0 ? copy.left(stats.goneSinceReview) : undefined,
        },
        {
          label: copy.sent,
          count: stats.sent,
          state: "sent",
          colour: "success",
          note: copy.returned(stats.returned),
        },
        { label: copy.failed, count: stats.failed, state: "failed", colour: "destructive" },
        {
          label: copy.skipped,
          count: stats.skipped,
          state: "skipped",
          colour: "neutral",
          note: formatSkipReasons(stats.skippedByReason),
        },
        { label: copy.uncertain, count: stats.uncertain, state: "uncertain", colour: "warning" },
        {
          label: copy.waiting,
          count: stats.pending,
          state: "waiting",
          colour: "rest",
        },
      ]}
    />
  );
}

/** Counts the reasons for failures and skips; each links to its recipients. */
function Reasons({ view: { page, stats, failures, filter } }: { view: CampaignView }) {
  const skipped = Object.entries(stats.skippedByReason).sort(([, a], [, b]) => b - a);
  if (failures.reasons.length + skipped.length === 0) return null;
  const toEntry = (state: "failed" | "skipped", reason: string, count: number, words: string) => ({
    to: linkTo(page, { state, reason }),
    isSelected: filter.state === state && filter.reason === reason,
    count,
    words,
  });
  return (
    <Card>
      <CardContent className="grid gap-x-8 gap-y-3 py-3 @min-[44rem]/detail:grid-cols-2">
        <ReasonList
          title={failures.isPartial ? copy.failedOfFirst(failures.counted) : copy.failed}
          entries={failures.reasons.map(({ key, sample, count }) =>
            toEntry("failed", key, count, failureReason(sample)),
          )}
        />
        <ReasonList
          title={copy.skipped}
          entries={skipped.map(([reason, count]) => toEntry("skipped", reason, count, skipReason(reason)))}
        />
      </CardContent>
    </Card>
  );
}

type Reason = { to: string; isSelected: boolean; count: number; words: string };

function ReasonList({ title, entries }: { title: string; entries: readonly Reason[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={copy.byReason(title)} className="min-w-0">
      <h2 className="text-xs text-muted-foreground">{copy.byReason(title)}</h2>
      <ul className="mt-1">
        {entries.map(({ to, isSelected, count, words }) => (
          <li key={to}>
            <Link
              to={to}
              preventScrollReset
              aria-current={isSelected ? "true" : undefined}
              className={cn(
                "-mx-2 block rounded-md px-2 py-1 break-words pointer-coarse:py-2.5",
                isSelected ? "bg-primary-surface" : "hover:bg-muted",
              )}
            >
              <span className="font-medium tabular-nums">{grouped(count)}</span>: {words}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Deliveries({ view: { campaign, page, values, rows, pages, now } }: { view: CampaignView }) {
  return (
    <DeliveryTable
      caption={copy.tableCaption}
      recipient={copy.address}
      rows={rows}
      subject={(row) => <PersonLink id={row.person}>{row.address}</PersonLink>}
      state={(row) => <DeliveryStateBadge state={row.state} />}
      detail={(row) => <DeliveryDetail delivery={row} />}
      now={now}
      empty={values.q || values.reason ? copy.noMatch : copy.noRows}
      download={linkTo(paths.outreachExport(campaign.id), values)}
      paging={toPageLinks(page, pages, values)}
    />
  );
}

function SearchForm({ view: { page, from, values } }: { view: CampaignView }) {
  const { state, reason, q } = values;
  return (
    <ListFilter label={copy.searchRecipients} page={page} values={values} button="outline">
      <HiddenFields values={{ state, reason, from }} />
      <SearchField
        label={copy.search}
        name="q"
        maxLength={254}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        defaultValue={q}
      />
    </ListFilter>
  );
}

type QuestionProps = { view: CampaignView; answer: ReturnType<typeof useActionData<typeof action>> };

/** The question of the URL's step. One that asks for input is asked again, with its `answer`, after a refusal. */
function Question({ view, answer }: QuestionProps) {
  const { page, step, stats, planned, rescheduling, suppressed } = view;
  if (step === "release") {
    const refused = answer?.form === "release" ? answer : undefined;
    return (
      <ConfirmDialog
        title={copy.releaseQuestion(suppressed)}
        closeTo={page}
        action={linkTo(page, { step: "release" })}
        intent="release"
        yes={copy.releaseSuppressed}
        no={copy.keepSuppressed}
        isDestructive
        asksForInput
        fields={
          <TextField
            label={copy.releaseReason}
            hint={copy.releaseReasonHint}
            error={refused?.error}
            required
            name="because"
            maxLength={toMaxLength(200)}
            defaultValue={refused?.because}
          />
        }
      >
        <p>{copy.releaseConsequence(canRetry(stats))}</p>
      </ConfirmDialog>
    );
  }
  if (step === "edit") {
    return (
      <ConfirmDialog
        title={startCopy.editTitle}
        closeTo={page}
        intent="edit"
        yes={startCopy.edit}
        no={startCopy.keepTime}
      >
        <p>
          <UnbrokenTimes>{startCopy.editQuestion(planned)}</UnbrokenTimes>
        </p>
      </ConfirmDialog>
    );
  }
  if (step === "cancel") {
    return (
      <ConfirmDialog
        title={copy.cancelTitle}
        closeTo={page}
        intent="cancel"
        yes={copy.cancel}
        no={copy.keepSending}
        isDestructive
      >
        <p>{copy.cancelQuestion(view.areRecipientsListed ? stats.pending : undefined)}</p>
      </ConfirmDialog>
    );
  }
  if (step === "begin") {
    return (
      <ConfirmDialog
        title={startCopy.beginNowTitle}
        closeTo={page}
        intent="begin"
        yes={startCopy.beginNow}
        no={startCopy.notNow}
      >
        <p>{startCopy.beginNowQuestion(planned)}</p>
      </ConfirmDialog>
    );
  }
  if (!rescheduling) return null;
  const { clocks, values } = rescheduling;
  return (
    <ConfirmDialog
      title={startCopy.rescheduleTitle}
      closeTo={page}
      action={linkTo(page, { step: "reschedule" })}
      intent="reschedule"
      yes={startCopy.saveTime}
      no={startCopy.keepTime}
      asksForInput
      fields={
        <div className="flex flex-col gap-4">
          <ScheduleFields
            hint={startCopy.nowThere(clocks.now)}
            clocks={clocks}
            answer={answer?.form === "schedule" ? answer : { values, errors: {} }}
          />
        </div>
      }
    >
      <p>{startCopy.rescheduleText}</p>
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
