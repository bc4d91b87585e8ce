import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Fragment } from "react";
import { Banner } from "~/components/banner";
import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DayField } from "~/components/day-fields";
import { DownloadForm } from "~/components/download-form";
import { EmptyList } from "~/components/empty-list";
import { Pause, Play, Trash2 } from "lucide-react";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { ListDetail, useIsRowOpen } from "~/components/list-detail";
import { ListFilter, SearchField } from "~/components/list-filter";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import type { ListViews } from "~/components/saved-views";
import { TextField } from "~/components/text-field";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { Tabs, TabsList, TabsTrigger } from "~/components/ui/tabs";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { filterMessages } from "~/content/lists";
import { logsMessages as copy } from "~/content/logs";
import { platformMessages as platform } from "~/content/platform";
import { readForm } from "~/http/form-data.server";
import { readListSearch } from "~/http/list-detail";
import { toSearch } from "~/http/list-state";
import { getLogsUrl, toFilterSearch } from "~/http/lists/logs-list";
import { getLogsView, throwUnreadable, type LogsView } from "~/http/logs-view.server";
import { seeOther } from "~/http/redirects.server";
import { getActor, getLogger, logError } from "~/http/request-context.server";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, logs, savedViews } from "~/services/container.server";
import { LinesByTime } from "./by-time";
import { Groups } from "./groups";
import { OtherPages } from "./other-pages";
import { type LiveLogs, useLiveLogs } from "./use-live-logs";
import { VolumeChart } from "./volume-chart";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const [view, views] = await Promise.all([
    getLogsView(logs, readListSearch(request, params), operator).catch(throwUnreadable),
    savedViews.list(operator, paths.logs),
  ]);
  return data({ ...view, views }, { status: view.errors ? 422 : 200 });
}

/** Deletes all lines, or reports that the deletion failed or, of the platform's log, was not confirmed. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { intent } = firstValues(await readForm(request));
  if (intent !== "delete") throw seeOther(paths.logs);
  try {
    await logs.deleteAll(getActor(request, operator));
  } catch (err) {
    logError(err, "the logs could not be deleted");
    return data({ failed: true }, { status: 500 });
  }
  // The deletion is done: the leftovers are removed in small steps in the background.
  void logs.sweep().catch((err: unknown) => getLogger().warn({ err }, "deleting old data failed"));
  throw seeOther(`${paths.logs}?notice=logs-deleted`);
}

export const clientAction = keepForm();

export { shouldReloadList as shouldRevalidate } from "~/http/list-detail";

/** The System Logs screen: the server's log by level, with search, live view, export and deletion; a line opens beside it. */
export default function SystemLogs() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const isRowOpen = useIsRowOpen();
  const search = toSearch(loaded.values);
  const { view, state } = useLiveLogs(loaded, search);
  const isUnused = view.total === 0 && toFilterSearch(loaded.values) === "" && view.isFirst && !view.isLive;
  const inert = useInert(view.confirmsDeletion);
  // A live view by time has no chart, so that its newest lines are on the first screen.
  const hasChart = view.values.q === "" && !(view.isByTime && view.isLive);
  const top = (
    <>
      <PageHeader
        title={copy.title}
        state={<State view={view} />}
        actions={<HeaderActions view={view} live={state} />}
      />
      {isRowOpen ? null : <Notice className="mb-4" />}
      {isUnused ? null : (
        <div className="mb-4 flex flex-col gap-4">
          <Views view={view} live={state} />
          <FilterForm view={view} views={loaded.views} />
        </div>
      )}
    </>
  );
  return (
    <>
      <div {...inert}>
        <ListDetail top={top}>
          <div className="flex flex-col gap-4">
            {isUnused || !hasChart ? null : <VolumeChart view={view} />}
            <Lines key={toPlace(view)} view={view} isLive={state === "on" || state === "away"} />
            <OtherPages view={view} />
          </div>
        </ListDetail>
      </div>
      {view.confirmsDeletion ? <Question view={view} hasFailed={result?.failed === true} /> : null}
    </>
  );
}

/** Links to the two views of the lines, beside what the live view does. */
function Views({ view: { values, isByTime, isLive }, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const place = { live: isLive ? "on" : undefined } as const;
  return (
    <div className="flex items-center justify-between gap-4 border-b print:hidden">
      <Tabs aria-label={copy.views.label} className="-mb-px border-b-0">
        <TabsList>
          {(["level", "time"] as const).map((name) => (
            <TabsTrigger
              key={name}
              asChild
              aria-current={(name === "time") === isByTime ? "page" : undefined}
            >
              <Link
                to={getLogsUrl({ ...values, view: name === "time" ? name : "" }, place)}
                preventScrollReset
              >
                {copy.views[name]}
              </Link>
            </TabsTrigger>
          ))}
        </TabsList>
      </Tabs>
      <p role="status" className="min-w-0 text-right text-xs font-medium">
        {live === "off" ? null : copy.live[live]}
      </p>
    </div>
  );
}

/** Names what the page shows of the log: another filter or page has other lines, a newer view of it has not. */
const toPlace = ({ values, place }: LogsView) => toSearch({ ...values, ...place });

function Lines({ view, isLive }: { view: LogsView; isLive: boolean }) {
  if (view.lines.length > 0) return <LinesByTime view={view} isLive={isLive} />;
  if (view.groups.length > 0) return <Groups view={view} />;
  return <Empty view={view} />;
}

/** Replaces the lines when there are none. */
function Empty({ view: { errors, values, total, isFirst, next } }: { view: LogsView }) {
  const all = { to: getLogsUrl({ view: values.view }), name: copy.showAll };
  if (errors) return <EmptyList title={filterMessages.wrong} description={filterMessages.wrongText} />;
  if (total === 0) return <EmptyList title={copy.none} description={copy.noneText} />;
  // More lines to search are below, so this is not the end.
  if (next !== undefined) return null;
  if (!isFirst) return <EmptyList title={copy.noOlder} action={all} />;
  if (toFilterSearch(values)) return <EmptyList title={copy.noMatch} action={all} />;
  return <EmptyList title={copy.none} description={copy.noneText} />;
}

const TIME_FIELDS = ["from", "fromTime", "to", "toTime"] as const;

type FilterFormProps = { view: LogsView } & Pick<ListViews, "views">;

function FilterForm({ view: { values, errors, levels }, views }: FilterFormProps) {
  return (
    <ListFilter
      label={copy.filter}
      page={getLogsUrl({ view: values.view })}
      values={{ ...values, view: "" }}
      saved={{ list: paths.logs, values, views }}
      moreNames={TIME_FIELDS}
      isMoreOpen={TIME_FIELDS.some((name) => errors?.[name])}
      more={(["from", "to"] as const).map((name) => (
        <Fragment key={name}>
          <DayField name={name} values={values} errors={errors} />
          <TextField
            label={copy.times[name]}
            error={errors?.[`${name}Time`]}
            name={`${name}Time`}
            type={errors?.[`${name}Time`] ? "text" : "time"}
            defaultValue={values[`${name}Time`]}
          />
        </Fragment>
      ))}
    >
      <HiddenFields values={{ view: values.view }} />
      <SearchField label={copy.search} error={errors?.q} name="q" defaultValue={values.q} />
      <ChoiceField
        name="level"
        label={copy.level}
        value={values.level}
        choices={Object.fromEntries(levels.map((level) => [level, level]))}
        any={copy.anyLevel}
        error={errors?.level}
      />
    </ListFilter>
  );
}

/** Asks before everything is deleted. After a failure the question stays open and says so. */
function Question({ view, hasFailed }: { view: LogsView; hasFailed: boolean }) {
  const { values, total, outOfReach, isOfPlatform } = view;
  const deleteFailed = isOfPlatform ? platform.logs.deleteFailed : copy.deleteFailed;
  return (
    <ConfirmDialog
      title={copy.deleteAll}
      closeTo={getLogsUrl(values)}
      action={getLogsUrl(values, { step: "delete" })}
      intent="delete"
      yes={copy.delete}
      yesBusy={copy.deleting}
      no={copy.cancel}
      isDestructive
    >
      {hasFailed ? (
        <Banner kind="error" isRefusal>
          {deleteFailed}
        </Banner>
      ) : null}
      <p>{copy.question}</p>
      <p className="text-muted-foreground">{copy.whatGoes(total + outOfReach)}</p>
    </ConfirmDialog>
  );
}

/** Shows the number of lines, the time of the newest one, and what is left out. */
function State({ view }: { view: LogsView }) {
  const { total, ignored, outOfReach, values, isFirst, now } = view;
  const shown = [...view.lines, ...view.groups.flatMap(({ lines }) => lines)];
  const newest = Math.max(0, ...shown.map(({ at }) => at ?? 0));
  const hasNewest = isFirst && toFilterSearch(values) === "";
  return (
    <>
      {view.isOfPlatform ? `${platform.logs.origin} ` : null}
      {copy.state(total)}{" "}
      {hasNewest && newest > 0 ? (
        <>
          {copy.newestLine} <Timestamp at={newest} now={now} />.{" "}
        </>
      ) : null}
      {ignored > 0 ? `${copy.ignored(ignored)} ` : null}
      {outOfReach > 0 ? `${copy.outOfReach(outOfReach)} ` : null}
    </>
  );
}

/** Actions on the whole log: watch, export, delete. */
function HeaderActions({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { values, isFirst, groups, lines } = view;
  const search = toSearch(values);
  const isOn = live === "on" || live === "away";
  return (
    <>
      {isFirst ? (
        // Replaces the history entry: one for each press would bury the previous page.
        <ButtonLink
          to={getLogsUrl(values, { live: isOn ? undefined : "on" })}
          replace
          preventScrollReset
          className="noscript:hidden"
        >
          {isOn ? <Pause aria-hidden /> : <Play aria-hidden />}
          {isOn ? copy.live.stop : copy.live.start}
        </ButtonLink>
      ) : null}
      {groups.length + lines.length > 0 ? (
        <DownloadForm
          action={`${paths.logsExport}?${search}`}
          label={toFilterSearch(values) ? copy.downloadThese : copy.downloadAll}
        />
      ) : null}
      <DeleteAll view={view} />
    </>
  );
}

function DeleteAll({ view: { values, total } }: { view: LogsView }) {
  const isDeleting = useNavigation().formData?.get("intent") === "delete";
  const name = (
    <>
      <Trash2 aria-hidden />
      <span className="max-sm:hidden">{isDeleting ? copy.deleting : copy.deleteAll}</span>
      <span className="sm:hidden">{isDeleting ? copy.deleting : copy.deleteAllShort}</span>
    </>
  );
  return total > 0 && !isDeleting ? (
    <ButtonLink to={getLogsUrl(values, { step: "delete" })} preventScrollReset variant="destructive">
      {name}
    </ButtonLink>
  ) : (
    <Button type="button" variant="destructive" disabled>
      {name}
    </Button>
  );
}

export { LogUnavailable as ErrorBoundary } from "~/components/log-unavailable";
