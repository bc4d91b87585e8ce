import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Navigate, useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { keepForm, toUnanswered } from "~/components/keep-form";
import { PageHeader } from "~/components/page-header";
import { SetupCard } from "~/components/setup-card";
import { Timestamp } from "~/components/timestamp";
import { UserManagementPanel } from "~/components/users/user-management-panel";
import { readForm } from "~/http/form-data.server";
import { logError } from "~/http/request-context.server";
import { addUser } from "~/http/user-form.server";
import { linkTo } from "~/http/list-state";
import { firstValues } from "~/lib/parse-form";
import { backOfficeTitle } from "~/components/use-brand";
import { useInert } from "~/components/use-inert";
import { visitMessages } from "~/content/visits";
import { paths } from "~/paths";
import { access, setup, signups, userManagement, visits } from "~/services/container.server";
import { actOnOutreach, refuseFailedConfirmation } from "./actions.server";
import { CountsChart, Distribution, StatCards } from "./counts";
import { Newest } from "./newest";
import { OutreachPanel } from "./outreach-panel";
import { hasOutreachQuestion, OutreachQuestion } from "./outreach-question";
import { getOutreachView } from "./outreach-view.server";
import { OverTime } from "./over-time";
import { getArrivals, getSubmissions, getSubmissionsOverTime } from "./submissions.server";
import { SubmissionTables } from "./submission-tables";
import { getUnanswered } from "./unanswered";

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, "Dashboard") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { role, email, accountId, timeZone } = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const now = Date.now();
  // With ?send= the page refreshes by itself, to show a campaign's progress: that is no look at it.
  const newSince = await (searchParams.has("send") ? visits.newSince(accountId) : visits.look(accountId));
  const [counts, arrivals, overTime, submissions, view, setupCard] = await Promise.all([
    signups.counts(),
    getArrivals(newSince, now),
    getSubmissionsOverTime(searchParams, { now, timeZone }),
    getSubmissions(searchParams, newSince),
    getOutreachView(searchParams, { timeZone, email }),
    role === "superadmin" ? setup.getCard() : undefined,
  ]);
  return { role, setupCard, view, counts, arrivals, overTime, ...submissions, now };
}

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request).catch(toError);
  const form = await readForm(request);
  const { intent } = firstValues(form);
  if (operator instanceof Error) {
    if (intent !== "confirm") throw operator;
    logError(operator, "a campaign could not be confirmed");
    return refuseFailedConfirmation();
  }
  if (intent === "add") {
    const superadmin = await access.requireRole(request, "superadmin");
    return addUser(userManagement, form, request, superadmin);
  }
  return actOnOutreach(form, request, operator);
}

/** Returns a failed guard's error; the redirect of one that refuses is thrown on. */
function toError(refusal: unknown): Error {
  if (refusal instanceof Response) throw refusal;
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}

export const clientAction = keepForm(({ values }) => getUnanswered(values));

/**
 * Autosave changes nothing on the page, so it does not revalidate, unless its answer comes while another address is loaded:
 * Remix then aborts that load, and shows that address with what this revalidation loads. Nor does a form that was refused or
 * got no answer. A confirmation that is refused because the draft or its audience changed does: the dialog shows the new ones.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formData,
  actionStatus,
  defaultShouldRevalidate,
}) => {
  const intent = formData?.get("intent");
  if (intent === "autosave") return currentUrl.search !== nextUrl.search;
  // Remix's default is true here, also after a refusal.
  if (actionStatus !== undefined && actionStatus >= 400) return intent === "confirm" && actionStatus === 409;
  return defaultShouldRevalidate;
};

export default function Dashboard() {
  const answer = useActionData<typeof action>();
  const refused = answer?.kind === "refused" ? answer : undefined;
  const users = answer?.kind === "issued" || answer?.form === "user" ? answer : undefined;
  // An autosave that met an ended session is sent again as a document: open the draft it saved.
  const autosaved = answer && "savedDraft" in answer ? answer : undefined;
  const { role, setupCard, view, counts, arrivals, overTime, tables, newest, now } =
    useLoaderData<typeof loader>();
  const draft = refused?.form === "draft" ? refused : undefined;
  const asks = hasOutreachQuestion(view) && (draft === undefined || toUnanswered(draft) !== undefined);
  const inert = useInert(asks);
  if (autosaved) {
    const notice = autosaved.isCopy ? "draft-confirmed-before" : undefined;
    return <Navigate to={linkTo(paths.outreachPanel, { draft: autosaved.savedDraft, notice })} replace />;
  }
  return (
    <>
      <div {...inert}>
        <PageHeader
          title="Admin Dashboard"
          state={<State lastSubmissionAt={newest[0]?.createdAt} newSince={arrivals.newSince} now={now} />}
        />
        <div className="flex flex-col gap-6">
          <SetupCard progress={setupCard} />
          <StatCards counts={counts} daily={overTime.daily} arrivals={arrivals} />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,4fr)_minmax(0,3fr)]">
            <OverTime view={overTime} />
            <Newest newest={newest} now={now} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)]">
            <CountsChart counts={counts} />
            <Distribution counts={counts} />
          </div>
          <OutreachPanel view={view} refused={draft} isConfirming={refused?.form === "confirm"} />
          {role === "superadmin" ? <UserManagementPanel answer={users} /> : null}
          <SubmissionTables tables={tables} counts={counts} now={now} />
        </div>
      </div>
      {asks ? (
        <OutreachQuestion
          view={view}
          confirmation={refused?.form === "confirm" ? refused : undefined}
          templateName={refused?.form === "template" ? refused : undefined}
        />
      ) : null}
    </>
  );
}

interface StateProps {
  /** Epoch milliseconds, all. */
  lastSubmissionAt: number | undefined;
  newSince: number | undefined;
  now: number;
}

function State({ lastSubmissionAt, newSince, now }: StateProps) {
  return (
    <>
      {lastSubmissionAt === undefined ? (
        "No submissions yet."
      ) : (
        <>
          Last submission <Timestamp at={lastSubmissionAt} now={now} />.
        </>
      )}
      {newSince === undefined ? null : (
        <>
          {" "}
          {visitMessages.lastVisit} <Timestamp at={newSince} now={now} />.
        </>
      )}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
