import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { Download } from "~/components/icons";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Button, ButtonLink } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { personMessages as copy } from "~/content/person";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { getActor } from "~/http/request-context.server";
import { typed } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, people } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { getPersonView, type PersonView } from "./person.server";
import { EmailAndDevices, Forms, Emails } from "./sections";

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: backOfficeTitle(view?.name || view?.address || copy.title) },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getPersonView(params.id ?? "", new URL(request.url).searchParams);
}

/** Erases the person and redirects to where they were listed. */
export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  const id = params.id ?? "";
  const { intent } = typed(await readForm(request));
  if (intent !== "erase") return report(undefined, paths.person(id));
  const outcome = await people.erase(id, getActor(request, person));
  if (outcome.ok) return report("person-erased", paths.submissionTable(outcome.kind));
  if (outcome.error === "unknown") return report("person-gone", paths.submissionTable(SUBMISSION_KINDS[0]));
  return report("person-email-in-progress", paths.person(id));
}

/** The page of one address: all data stored about the person, with export and erasure. */
export default function Person() {
  const view = useLoaderData<typeof loader>();
  const { id, address, name } = view;
  return (
    <>
      <PageHeader
        title={name || address}
        state={
          <span className="wrap-anywhere">
            {copy.everythingAbout} <bdi className="font-mono text-foreground">{address}</bdi>
          </span>
        }
        actions={
          <>
            {/* Posts as a document: the response is a file, and the page stays. */}
            <Form reloadDocument method="post" action={paths.personExport(id)}>
              <Button type="submit" variant="secondary" size="dense">
                <Download aria-hidden />
                {copy.export}
              </Button>
            </Form>
            <ButtonLink to={`${paths.person(id)}?step=erase`} preventScrollReset variant="danger">
              {copy.erase}
            </ButtonLink>
          </>
        }
      />
      <Notice className="mb-4" />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Forms view={view} />
          <Emails view={view} />
        </div>
        <EmailAndDevices view={view} />
      </div>
      {view.isQuestionOpen ? <Question view={view} /> : null}
    </>
  );
}

/** Asks before an erasure: says what will be erased and what stays. */
function Question({ view }: { view: PersonView }) {
  const { id, address, forms, hasMoreForms, emailCount, suppression, copies } = view;
  return (
    <ConfirmDialog
      title={copy.question}
      closeTo={paths.person(id)}
      intent="erase"
      yes={copy.erase}
      no={copy.keep}
      isDestructive
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="font-mono text-xs">{address}</bdi>
      </p>
      <p>{copy.lost(forms.length, hasMoreForms)}</p>
      <p>
        {copy.lostEmails(emailCount)} {copy.lostElse}{" "}
        {suppression?.opted_out === 0 ? copy.suppressionGoes : null}
      </p>
      <p className="font-medium">{copy.staysTitle}</p>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-muted-foreground">
        {suppression?.opted_out === 1 ? <li>{copy.staysOptOut}</li> : null}
        <li>{copy.staysActivity}</li>
        {copies ? <li>{copy.copies[copies]}</li> : null}
        <li>{copy.staysElsewhere}</li>
      </ul>
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
