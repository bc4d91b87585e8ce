import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { AutoRefresh } from "~/components/auto-refresh";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { EmptyList } from "~/components/empty-list";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { backOfficeTitle } from "~/content/brand";
import { mirrorMessages as copy } from "~/content/mirrors";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import type { SubmissionKind } from "~/services/signups/typed-columns";
import { actOnMirrors, getMirrorsView } from "./mirrors.server";
import { SheetCard } from "./sheet-card";

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  return getMirrorsView(new URL(request.url).searchParams);
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnMirrors(request, person);
}

/** The Mirrors screen: the state of each copy of the submissions, and the rows that need a decision. */
export default function Mirrors() {
  const { mirror, sheets, repairing, now } = useLoaderData<typeof loader>();
  if (!mirror) {
    return (
      <>
        <PageHeader title={copy.title} />
        <EmptyList title={copy.emptyTitle} then={copy.empty} />
      </>
    );
  }
  const isMoving = sheets.some((sheet) => sheet.state === "moving");
  return (
    <>
      <PageHeader title={copy.title} state={copy.state(copy.names[mirror.name])} />
      <Notice className="mb-4" />
      <div className="grid gap-4 xl:grid-cols-3">
        {sheets.map((sheet) => (
          <SheetCard key={sheet.kind} sheet={sheet} canRead={mirror.canRead} now={now} />
        ))}
      </div>
      {repairing ? <RepairQuestion kind={repairing} isRepeatable={mirror.isRepeatable} /> : null}
      {isMoving && !repairing ? <AutoRefresh everySeconds={3} version={sheets} /> : null}
    </>
  );
}

/** Says what a repair overwrites, and asks. */
function RepairQuestion({ kind, isRepeatable }: { kind: SubmissionKind; isRepeatable: boolean }) {
  const { title, places, appends, keep, yes } = copy.question;
  return (
    <ConfirmDialog
      title={title(copy.forms[kind])}
      closeTo={paths.mirrors}
      intent="repair"
      yes={yes}
      no={keep}
      fields={<input type="hidden" name="kind" value={kind} />}
    >
      {(isRepeatable ? places : appends).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
