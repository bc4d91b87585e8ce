import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Navigate, useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { keepForm } from "~/components/keep-form";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { readForm } from "~/http/form-data.server";
import { logError } from "~/http/request-context.server";
import { linkTo } from "~/http/list-state";
import { typed } from "~/lib/parse-form";
import { backOfficeTitle } from "~/content/brand";
import { paths } from "~/paths";
import { access, appearanceCookie, signups } from "~/services/container.server";
import { addUser } from "~/routes/admin.users/actions.server";
import { UserManagementPanel } from "~/routes/admin.users/panel";
import { actOnOutreach, refuseFailedConfirmation } from "./actions.server";
import { CountsChart, Distribution, StatCards } from "./counts";
import { OutreachPanel } from "./outreach-panel";
import { getOutreachView } from "./outreach-view.server";
import { OverTime } from "./over-time";
import { getSignupsOverTime, getSubmissions } from "./submissions.server";
import { SubmissionTables } from "./submission-tables";
import { getUnanswered } from "./unanswered";

export const meta: MetaFunction = () => [{ title: backOfficeTitle("Dashboard") }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { role, email } = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const now = Date.now();
  const { timeZone } = await appearanceCookie.read(request);
  const [counts, overTime, submissions, view] = await Promise.all([
    signups.counts(),
    getSignupsOverTime(searchParams, now),
    getSubmissions(searchParams),
    getOutreachView(searchParams, { timeZone, email }),
  ]);
  return { role, view, counts, overTime, ...submissions, now };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request).catch(toError);
  const form = await readForm(request);
  const { intent } = typed(form);
  if (person instanceof Error) {
    if (intent !== "confirm") throw person;
    logError(person, "a campaign could not be confirmed");
    return refuseFailedConfirmation();
  }
  if (intent === "add") return addUser(form, request, await access.requireRole(request, "superadmin"));
  return actOnOutreach(form, request, person);
}

/** Returns a failed guard's error; the redirect of one that refuses is thrown on. */
function toError(refusal: unknown): Error {
  if (refusal instanceof Response) throw refusal;
  return refusal instanceof Error ? refusal : new Error(String(refusal));
}

export const clientAction = keepForm(({ values }) => getUnanswered(values));

/**
 * Autosave changes nothing on the page, so it does not revalidate; nor does a form that got no answer. A refused
 * confirmation of a changed draft does, because the dialog shows the new text.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  formData,
  actionStatus,
  defaultShouldRevalidate,
}) => {
  const intent = formData?.get("intent");
  if (intent === "autosave" || actionStatus === 503) return false;
  return (intent === "confirm" && actionStatus === 409) || defaultShouldRevalidate;
};

export default function Dashboard() {
  const answer = useActionData<typeof action>();
  const refused = answer?.kind === "refused" ? answer : undefined;
  const users = answer?.kind === "issued" || answer?.form === "user" ? answer : undefined;
  // An autosave that met an ended session is sent again as a document: open the draft it saved.
  const savedDraft = answer && "savedDraft" in answer ? answer.savedDraft : undefined;
  const { role, view, counts, overTime, tables, lastSignupAt, now } = useLoaderData<typeof loader>();
  if (savedDraft) return <Navigate to={linkTo(paths.outreach, { draft: savedDraft })} replace />;
  return (
    <>
      <PageHeader
        title="Admin Dashboard"
        state={
          lastSignupAt === undefined ? (
            "No signups yet."
          ) : (
            <>
              Last signup <Timestamp at={lastSignupAt} now={now} />.
            </>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <StatCards counts={counts} daily={overTime.daily} />
        <div className="grid gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <CountsChart counts={counts} />
          <Distribution counts={counts} />
        </div>
        <OverTime view={overTime} />
        <OutreachPanel
          view={view}
          refused={refused?.form === "draft" ? refused : undefined}
          confirmation={refused?.form === "confirm" ? refused : undefined}
        />
        {role === "superadmin" ? <UserManagementPanel answer={users} /> : null}
        <SubmissionTables tables={tables} counts={counts} now={now} />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
