import { data } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/brand";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SendStateBadge } from "~/components/send-state-badge";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { access, outreach } from "~/services/container.server";
import { actOnSend } from "./actions.server";
import { Books } from "./books";
import { CancelQuestion } from "./cancel-question";
import { Deliveries } from "./deliveries";
import { deliveryStates } from "./delivery-states";
import { Trouble } from "./trouble";
import { Uncertain } from "./uncertain";

const ROWS = 50;

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: `${view?.send.title ?? "Send"} · ${brand.name} back office` },
];

export async function loader({ request, params }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const send = await outreach.findSend(params.id ?? "");
  if (!send || send.state === "draft") throw seeOther(paths.dashboard);
  const { searchParams } = new URL(request.url);
  const state = deliveryStates.find((known) => known === searchParams.get("state"));
  const after = searchParams.get("after") ?? undefined;
  const [book, rows] = await Promise.all([
    outreach.bookOf(send.id),
    outreach.listDeliveries(send.id, { state, after, limit: ROWS + 1 }),
  ]);
  return data({
    send: { id: send.id, title: send.title, audience: send.audience, createdBy: send.created_by },
    book,
    state,
    rows: rows.slice(0, ROWS),
    next: rows.length > ROWS ? rows[ROWS - 1]?.id : undefined,
    asksToCancel: searchParams.get("step") === "cancel",
  });
}

export async function action({ request, params }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnSend(params.id ?? "", request, person);
}

/** One send: its books, what it waits for, and every recipient. */
export default function Send() {
  const { send, book, state, rows, next, asksToCancel } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={send.title}
        state={operatorMessages.outreachBooks.summary(send.audience, send.createdBy)}
        actions={<SendStateBadge state={book.state} />}
      />
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <Trouble book={book} cancelLink={`${paths.outreachSend(send.id)}?step=cancel`} />
        <Books sendId={send.id} book={book} selected={state} />
        {book.uncertain > 0 ? <Uncertain count={book.uncertain} /> : null}
        <Deliveries sendId={send.id} state={state} rows={rows} next={next} />
      </div>
      {asksToCancel ? <CancelQuestion sendId={send.id} waiting={book.pending} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
