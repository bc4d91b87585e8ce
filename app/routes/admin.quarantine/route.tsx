import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { operatorMessages } from "~/content/operator-messages";
import { access } from "~/services/container.server";
import { actOnQuarantine, getQuarantineView } from "./quarantine.server";
import { BulkActions, Filters, countMatching } from "./filters";
import { Question } from "./question";
import { Submissions } from "./submissions";

const copy = operatorMessages.quarantine;

export const meta: MetaFunction = () => [{ title: operatorMessages.backOffice.title(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getQuarantineView(new URL(request.url).searchParams);
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnQuarantine(request, person);
}

/** The Quarantine screen: an operator releases or purges submissions that look automated. */
export default function Quarantine() {
  const view = useLoaderData<typeof loader>();
  const { values, counts, newest, before, selected, question } = view;
  const waiting = countMatching(counts, {});
  const total = countMatching(counts, values);
  return (
    <>
      <PageHeader
        title={copy.title}
        state={
          <>
            {waiting > 0 ? copy.waiting(waiting) : copy.nothingWaits}
            {newest && total === waiting ? (
              <>
                {" "}
                {copy.newestCame} <Timestamp at={newest.at} now={view.now} />.
              </>
            ) : null}
          </>
        }
      />
      <Notice className="mb-4" />
      {waiting > 0 ? (
        <div className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <Filters values={values} counts={counts} />
          {newest ? <BulkActions values={values} through={newest.id} total={total} /> : null}
        </div>
      ) : null}
      <Submissions view={view} total={total} />
      {question ? <Question view={question} values={values} before={before} selected={selected} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
