import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { PageHeader } from "~/components/page-header";
import { ButtonLink } from "~/components/ui/button";
import { backOfficeTitle } from "~/content/brand";
import { suppressionMessages } from "~/content/suppressions";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { actOnAdd } from "./actions.server";
import { ManyAddresses, OneAddress } from "./forms";

const copy = suppressionMessages.addPage;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const count = (name: string) => Number(/^\d{1,7}$/.exec(searchParams.get(name) ?? "")?.[0] ?? 0);
  return { added: count("added"), alreadyThere: count("there") };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnAdd(request, person);
}

/** Adds suppressed addresses: one with a note, or many at once. */
export default function AddSuppressions() {
  const done = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  // A new location, after a success, makes new and empty forms.
  const { key } = useLocation();
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state}
        actions={<ButtonLink to={paths.suppressions}>{copy.back}</ButtonLink>}
      />
      {answer === undefined && done.added + done.alreadyThere > 0 ? (
        <Banner kind="success" className="mb-4">
          {done.added > 0 ? copy.added(done.added) : null}{" "}
          {done.alreadyThere > 0 ? copy.alreadyThere(done.alreadyThere) : null}
        </Banner>
      ) : null}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <OneAddress key={`one-${key}`} answer={answer?.form === "one" ? answer : undefined} />
        <ManyAddresses key={`many-${key}`} answer={answer?.form === "many" ? answer : undefined} />
      </div>
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
