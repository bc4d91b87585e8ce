import { data } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { EmptyList } from "~/components/empty-list";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnLogs } from "./actions.server";
import { Away } from "./away";
import { toSearch } from "~/http/list-state";
import { FilterForm } from "./filter-form";
import { Groups } from "./groups";
import { HeaderActions } from "./header-actions";
import { logsView } from "./logs-view.server";
import type { LogsView } from "./logs-view.server";
import { OtherPages } from "./other-pages";
import { asAway } from "./platform-away.server";
import { Question } from "./question";
import { State } from "./state";
import { useLiveLogs } from "./use-live-logs";
import { VolumeChart } from "./volume-chart";

const copy = operatorMessages.logs;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await logsView(new URL(request.url).searchParams).catch((error: unknown) => {
    throw asAway(error);
  });
  return data(view, { status: view.errors ? 422 : 200 });
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnLogs(request, person);
}

/** The server's own log: by level, searched, watched, taken away as a file and deleted. */
export default function SystemLogs() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
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
      {view.asksToDelete ? <Question view={view} hasFailed={answer?.failed === true} /> : null}
    </>
  );
}

/** Stands where the groups would. */
function Empty({ view: { errors, values, total, past, next } }: { view: LogsView }) {
  const all = { to: paths.logs, name: copy.showAll };
  if (errors) return <EmptyList title={copy.wrong} then={copy.wrongText} />;
  if (total === 0) return <EmptyList title={copy.none} then={copy.noneText} />;
  // What goes on below is no end yet.
  if (next !== undefined) return null;
  if (past !== undefined) return <EmptyList title={copy.noOlder} then={all} />;
  return (
    <EmptyList
      title={toSearch(values) ? copy.noMatch : copy.none}
      then={toSearch(values) ? all : copy.noneText}
    />
  );
}

export { Away as ErrorBoundary };
