import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { HiddenFields } from "~/components/hidden-fields";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { NamedPeople, SelectionFields } from "~/components/question-parts";
import { backOfficeTitle } from "~/content/brand";
import { quarantineMessages as copy } from "~/content/quarantine";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { SUBMISSION_KINDS } from "~/services/signups/typed-columns";
import { BulkActions, Filters, countMatching } from "./filters";
import { actOnQuarantine, getQuarantineView, type QuarantineView } from "./quarantine.server";
import { Submissions } from "./submissions";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

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
  const { values, counts, newest } = view;
  const quarantined = countMatching(counts, {});
  const total = countMatching(counts, values);
  return (
    <>
      <PageHeader
        title={copy.title}
        state={quarantined > 0 ? copy.toReview(quarantined) : copy.nothingToReview}
        latest={
          newest && total === quarantined
            ? { text: copy.lastReceived, at: newest.at, now: view.now }
            : undefined
        }
      />
      <Notice className="mb-4" />
      {quarantined > 0 ? (
        <div className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
          <Filters view={view} />
          <BulkActions view={view} total={total} />
        </div>
      ) : null}
      <Submissions view={view} total={total} />
      <Question view={view} />
    </>
  );
}

/** Asks before an action that cannot be undone, with counts and names. Closing it keeps the selection. */
function Question({ view: { values, before, selected, question } }: { view: QuarantineView }) {
  if (!question) return null;
  const { action, through, counts, named } = question;
  const total = countMatching(counts, {});
  const back = linkTo(paths.quarantine, { ...values, before, id: through ? [] : selected });
  const others = total > named.length ? copy.andMore(total - named.length) : undefined;
  return (
    <ConfirmDialog
      title={copy.question[action](total)}
      closeTo={back}
      action={paths.quarantine}
      intent={action}
      yes={copy[action]}
      no={copy.keep}
      isDestructive={action === "purge"}
      fields={
        <>
          <HiddenFields values={{ ...values, before }} />
          <SelectionFields through={through} selected={selected} />
        </>
      }
    >
      <p>
        {formatCounts(counts)} {copy.consequence[action]}
      </p>
      <NamedPeople named={named} others={others} />
      {through ? <p className="text-muted-foreground">{copy.arrivals}</p> : null}
    </ConfirmDialog>
  );
}

/** Returns "2 early access signups and 1 contact inquiry". */
function formatCounts(counts: QuarantineView["counts"]): string {
  const parts = SUBMISSION_KINDS.flatMap((kind) => {
    const count = countMatching(counts, { form: kind });
    return count > 0 ? copy.of[kind](count) : [];
  });
  const last = parts.pop() ?? "";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

export { Failure as ErrorBoundary } from "~/components/failure";
