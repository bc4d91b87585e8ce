import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { audienceMessages } from "~/content/audiences";
import { peopleMessages as copy } from "~/content/people";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { waveMessages } from "~/content/waves";
import { csvDownload } from "~/http/csv-download.server";
import { linkTo } from "~/http/list-state";
import { filterInWords, peopleList as listUrl } from "~/http/lists/people-list";
import { seeOther } from "~/http/redirects.server";
import { getActor } from "~/http/request-context.server";
import { utcDay } from "~/lib/utc-day";
import { paths } from "~/paths";
import { access, activity, peopleList } from "~/services/container.server";
import type { ListedPerson } from "~/services/people/people-list.server";
import { toFormKinds } from "~/services/people/person-forms";
import type { SignedIn } from "~/services/sessions/sessions.server";
import { formatValue } from "~/services/submissions/submission-columns";

/** Redirects: an export is recorded in the activity, and a GET must change nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  return seeOther(linkTo(paths.people, readList(request, operator).values));
}

/** Exports all people under the page's filter, in the same order. */
export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  const read = readList(request, operator);
  if (!read.ok) return seeOther(linkTo(paths.people, read.values));
  const scope = filterInWords(read.values, operator.timeZone);
  await activity.recordExport("export-people", scope, getActor(request, operator));
  const batches = peopleList.batches(read.filter.matching, read.filter.order);
  return csvDownload(request, `people-${utcDay(Date.now())}.csv`, COLUMNS, batches);
}

const readList = (request: Request, { timeZone }: Pick<SignedIn, "timeZone">) =>
  listUrl.read(new URL(request.url).searchParams, timeZone);

const toTime = (at: number | null) => (at === null ? "" : new Date(at).toISOString());

/** The file's columns. */
const COLUMNS: Record<string, (row: ListedPerson) => string> = {
  [copy.csv.first]: ({ first_seen_at }) => toTime(first_seen_at),
  [copy.columns.name]: ({ name }) => name,
  [copy.columns.address]: ({ email }) => email,
  [copy.columns.company]: ({ company }) => company,
  [copy.columns.role]: ({ role }) => formatValue("role", role),
  [copy.domain]: ({ email_domain }) => email_domain,
  [submissionMessages.source]: ({ source }) => source,
  [copy.columns.forms]: ({ forms }) =>
    toFormKinds(forms)
      .map((kind) => submissionMessages.forms[kind])
      .join(", "),
  [copy.columns.emailStatus]: ({ suppression }) =>
    suppression ? suppressionMessages.reasons[suppression] : copy.emailStates.open,
  [copy.csv.confirmed]: ({ confirmed_at }) => toTime(confirmed_at),
  [audienceMessages.invitation]: ({ wave_state }) => audienceMessages.invitations[wave_state],
  [waveMessages.csv.wave]: ({ wave }) => (wave === null ? "" : String(wave)),
  [waveMessages.csv.invited]: ({ invited_at }) => toTime(invited_at),
  [waveMessages.csv.joined]: ({ joined_at }) => toTime(joined_at),
};
