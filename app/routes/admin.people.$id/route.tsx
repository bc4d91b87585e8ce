import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepForm } from "~/components/keep-form";
import { PersonPage } from "~/components/people/person-page";
import { backOfficeTitle } from "~/components/use-brand";
import { personMessages as copy } from "~/content/person";
import { submissionMessages } from "~/content/submissions";
import { actOnPerson, getPersonView } from "~/http/person-page.server";
import { seeOther } from "~/http/redirects.server";
import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { paths } from "~/paths";
import { access, inquiries, mirrorInUse, people } from "~/services/container.server";

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.name || view?.address || copy.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const view = await getPersonView({ people, inquiries, mirrorInUse }, getPlace(params), request);
  // Addresses from before people had ids name a submission.
  if (view.id !== params.id) throw seeOther(paths.person(view.id) + new URL(request.url).search);
  return view;
}

export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnPerson({ people, inquiries, mirrorInUse }, getPlace(params), request, person);
}

export const clientAction = keepForm();

function getPlace({ id = "" }: { id?: string | undefined }) {
  return { id, page: paths.person(id), list: paths.submissionTable(SUBMISSION_KINDS[0]) };
}

/** The page of one address, by itself. */
export default function Person() {
  const parent = { to: paths.submissions, name: submissionMessages.title };
  return <PersonPage view={useLoaderData<typeof loader>()} parent={parent} />;
}

export { Failure as ErrorBoundary } from "~/components/failure";
