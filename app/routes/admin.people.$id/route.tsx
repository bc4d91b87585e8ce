import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { keepForm } from "~/components/keep-form";
import { keepCorrection } from "~/components/people/correct-person";
import { PersonPage } from "~/components/people/person-page";
import { backOfficeTitle } from "~/components/use-brand";
import { peopleMessages } from "~/content/people";
import { personMessages as copy } from "~/content/person";
import { readFrom, toList, toRow } from "~/http/list-detail";
import { actOnPerson, getPersonView } from "~/http/person-page.server";
import { seeOther } from "~/http/redirects.server";
import { paths } from "~/paths";
import { access, personServices } from "~/services/container.server";

export const meta: MetaFunction<typeof loader> = ({ data: view, matches }) => [
  { title: backOfficeTitle(matches, view?.name || view?.address || copy.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const place = getPlace(request, params);
  const view = await getPersonView(personServices, place, request, operator);
  // Lists of submissions link by a submission's id, as did all addresses before people had ids.
  if (view.id !== params.id) throw seeOther(paths.person(view.id) + new URL(request.url).search);
  return { ...view, list: place.list };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnPerson(personServices, getPlace(request, params), request, operator);
}

export const clientAction = keepForm(keepCorrection);

function getPlace(request: Request, { id = "" }: { id?: string | undefined }) {
  const from = readFrom(request);
  return {
    id,
    getPage: (person: string) => toRow(paths.person(person), from),
    list: toList(paths.people, from),
  };
}

/** The page of a person, beside the list that they are in. */
export default function Person() {
  const view = useLoaderData<typeof loader>();
  return <PersonPage view={view} parent={{ to: view.list, name: peopleMessages.title }} />;
}

export { Failure as ErrorBoundary } from "~/components/failure";
