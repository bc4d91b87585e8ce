import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  useActionData,
  useLoaderData,
  useNavigation,
  useRouteError,
} from "@remix-run/react";
import { Banner } from "~/components/banner";
import { ChoiceField } from "~/components/choice-field";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DayFields } from "~/components/day-fields";
import { DownloadForm } from "~/components/download-form";
import { EmptyList } from "~/components/empty-list";
import { Failure } from "~/components/failure";
import { Field } from "~/components/field";
import { Pause, Play, Trash2 } from "lucide-react";
import { HiddenFields } from "~/components/hidden-fields";
import { keepForm } from "~/components/keep-form";
import { ListFilter } from "~/components/list-filter";
import { LogZone } from "~/components/log-time";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { TextField } from "~/components/text-field";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink } from "~/components/button-link";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { backOfficeTitle } from "~/content/brand";
import { filterMessages } from "~/content/lists";
import { logsMessages as copy } from "~/content/logs";
import { platformMessages as platform } from "~/content/platform";
import { readForm } from "~/http/form-data.server";
import { toSearch } from "~/http/list-state";
import { seeOther } from "~/http/redirects.server";
import { getActor, logError } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { UpstreamError } from "~/lib/upstream-error";
import { paths } from "~/paths";
import { access, logs } from "~/services/container.server";
import { serverBridge } from "../../../server/bridge";
import { getLogsUrl } from "./filter";
import { Groups, OtherPages } from "./groups";
import { getLogsView, type LogsView } from "./logs-view.server";
import { type LiveLogs, useLiveLogs } from "./use-live-logs";
import { VolumeChart } from "./volume-chart";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await getLogsView(new URL(request.url).searchParams).catch((error: unknown) => {
    throw toResponse(error);
  });
  return data(view, { status: view.errors ? 422 : 200 });
}

/** Deletes all lines, or reports that none was deleted. */
export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const { intent } = typed(await readForm(request));
  if (intent !== "delete") throw seeOther(paths.logs);
  try {
    await logs.deleteAll(getActor(request, person));
  } catch (err) {
    logError(err, "the logs could not be deleted");
    return data({ failed: true }, { status: 500 });
  }
  // The deletion is done: the leftovers are removed in small steps in the background.
  void logs.sweep().catch((err: unknown) => serverBridge().logger.warn({ err }, "deleting old data failed"));
  throw seeOther(`${paths.logs}?notice=logs-deleted`);
}

export const clientAction = keepForm();

/** Converts an error of reading the log for the ErrorBoundary: 503 with a reason for the platform's log. */
function toResponse(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  logError(error, "the platform's log could not be read");
  return new Response([error.status, error.detail].filter(Boolean).join(" "), { status: 503 });
}

/** The System Logs screen: the server's log by level, with search, live view, export and deletion. */
export default function SystemLogs() {
  const loaded = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const search = toSearch(loaded.values);
  const { view, state } = useLiveLogs(loaded, search);
  const isUnused = view.total === 0 && search === "" && view.past === undefined;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={<State view={view} live={state} />}
        actions={<HeaderActions view={view} live={state} />}
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        {isUnused ? null : <FilterForm key={search} view={view} />}
        {isUnused || view.values.q !== "" ? null : <VolumeChart view={view} />}
        {view.groups.length > 0 ? <Groups view={view} /> : <Empty view={view} />}
        <OtherPages view={view} />
      </div>
      {view.confirmsDeletion ? <Question view={view} hasFailed={result?.failed === true} /> : null}
    </>
  );
}

/** Replaces the groups when there are none. */
function Empty({ view: { errors, values, total, past, next } }: { view: LogsView }) {
  const all = { to: paths.logs, name: copy.showAll };
  if (errors) return <EmptyList title={filterMessages.wrong} then={filterMessages.wrongText} />;
  if (total === 0) return <EmptyList title={copy.none} then={copy.noneText} />;
  // More lines to search are below, so this is not the end.
  if (next !== undefined) return null;
  if (past !== undefined) return <EmptyList title={copy.noOlder} then={all} />;
  if (toSearch(values)) return <EmptyList title={copy.noMatch} then={all} />;
  return <EmptyList title={copy.none} then={copy.noneText} />;
}

function FilterForm({ view: { values, errors, levels } }: { view: LogsView }) {
  return (
    <ListFilter
      label={copy.filter}
      page={paths.logs}
      values={values}
      className="md:grid-cols-[minmax(0,1fr)_9rem_9.5rem_9.5rem_auto]"
    >
      <Field label={copy.search} error={errors?.q} className="max-md:col-span-full">
        {(control) => <Input {...control} type="search" name="q" defaultValue={values.q} />}
      </Field>
      <ChoiceField
        name="level"
        label={copy.level}
        value={values.level}
        choices={Object.fromEntries(levels.map((level) => [level, level]))}
        any={copy.anyLevel}
        error={errors?.level}
        className="max-md:col-span-full"
      />
      <DayFields values={values} errors={errors} />
      {errors?.hour ? (
        <TextField label={copy.hour} error={errors.hour} name="hour" defaultValue={values.hour} />
      ) : (
        <HiddenFields values={{ hour: values.hour }} />
      )}
    </ListFilter>
  );
}

/** Asks before everything is deleted. After a failure the question stays open and says so. */
function Question({ view, hasFailed }: { view: LogsView; hasFailed: boolean }) {
  const { values, total, outOfReach, isPlatforms } = view;
  const deleteFailed = isPlatforms ? platform.logs.deleteFailed : copy.deleteFailed;
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
      {hasFailed ? <Banner kind="error">{deleteFailed}</Banner> : null}
      <p>{copy.question}</p>
      <p className="text-muted-foreground">{copy.whatGoes(total + outOfReach)}</p>
    </ConfirmDialog>
  );
}

/** Replaces the log while the platform that holds it is unavailable; any other error is a failure of ours. */
function LogUnavailable() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || error.status !== 503) return <Failure />;
  return (
    <>
      <PageHeader
        title={copy.title}
        state={platform.logs.origin}
        actions={
          <ButtonLink to={paths.logs} reloadDocument variant="default">
            {platform.logs.tryAgain}
          </ButtonLink>
        }
      />
      <EmptyList title={platform.logs.away} then={platform.logs.awayText(String(error.data))} />
    </>
  );
}

/** Shows the number of lines, the time of the newest one, what is left out, and the state of the live view. */
function State({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { total, ignored, outOfReach, groups, past, now } = view;
  const newest = Math.max(0, ...groups.flatMap(({ lines }) => lines.map(({ at }) => at ?? 0)));
  return (
    <>
      {view.isPlatforms ? `${platform.logs.origin} ` : null}
      {copy.state(total)}{" "}
      {view.isOverview && past === undefined && newest > 0 ? (
        <>
          {copy.newestLine} <Timestamp at={newest} now={now} />.{" "}
        </>
      ) : null}
      {ignored > 0 ? `${copy.ignored(ignored)} ` : null}
      {outOfReach > 0 ? `${copy.outOfReach(outOfReach)} ` : null}
      {total > 0 ? <LogZone /> : null}{" "}
      {live === "off" ? null : (
        <span className="font-medium text-foreground" role="status">
          {copy.live[live]}
        </span>
      )}
    </>
  );
}

/** Actions on the whole log: watch, export, delete. */
function HeaderActions({ view, live }: { view: LogsView; live: LiveLogs["state"] }) {
  const { values, past, groups } = view;
  const search = toSearch(values);
  const isOn = live === "on" || live === "away";
  return (
    <>
      {past === undefined ? (
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
      {groups.length > 0 ? (
        <DownloadForm
          action={`${paths.logsExport}?${search}`}
          label={search ? copy.downloadThese : copy.downloadAll}
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

export { LogUnavailable as ErrorBoundary };
