import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepForm } from "~/components/keep-form";
import { keepCorrection } from "~/components/people/correct-person";
import { PersonPage } from "~/components/people/person-page";
import { backOfficeTitle } from "~/components/use-brand";
import { personMessages as copy } from "~/content/person";
import { submissionMessages } from "~/content/submissions";
import { readFrom, toList, toRow } from "~/http/list-detail";
import { actOnPerson, getPersonView } from "~/http/person-page.server";
import { getSubmissionKind } from "~/http/submission-kind.server";
import { paths } from "~/paths";
import { access, personServices } from "~/services/container.server";

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.name || view?.address || copy.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const place = getPlace(request, params);
  return { ...(await getPersonView(personServices, place, request, operator)), list: place.list };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnPerson(personServices, getPlace(request, params), request, operator);
}

export const clientAction = keepForm(keepCorrection);

function getPlace(request: Request, params: { kind?: string | undefined; id?: string | undefined }) {
  const { id = "" } = params;
  const kind = getSubmissionKind(params);
  const from = readFrom(request);
  return {
    id,
    getPage: () => toRow(paths.submissionPerson(kind, id), from),
    list: toList(paths.submissionTable(kind), from),
  };
}

/** The person behind a submission, beside the table that it is in. */
export default function SubmissionPerson() {
  const view = useLoaderData<typeof loader>();
  return <PersonPage view={view} parent={{ to: view.list, name: submissionMessages.title }} />;
}

export { Failure as ErrorBoundary } from "~/components/failure";
