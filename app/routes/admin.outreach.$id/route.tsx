import { data } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ChevronRight } from "~/components/icons";
import { brand } from "~/brand";
import { LookAgain } from "~/components/look-again";
import { MailPreview } from "~/components/mail-preview";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SendStateBadge } from "~/components/send-state-badge";
import { Card, CardContent } from "~/components/ui/card";
import { emailKey } from "~/lib/email-address";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import { seeOther } from "~/redirects.server";
import { access, mailPreviews, outreach, people } from "~/services/container.server";
import { hasNotBegun, isFarAway } from "~/services/outreach/waiting";
import { actOnSend } from "./actions.server";
import { Books } from "./books";
import { CancelQuestion } from "./cancel-question";
import { Deliveries } from "./deliveries";
import { readListedState } from "./delivery-states";
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
  const state = readListedState(searchParams);
  const after = searchParams.get("after") ?? undefined;
  const [book, waiting, mail, rows] = await Promise.all([
    outreach.bookOf(send.id),
    outreach.waiting(send),
    mailPreviews.previewText(send.id),
    outreach.listDeliveries(send.id, { state, after, limit: ROWS + 1 }),
  ]);
  const persons = await people.idsOf(rows.map(({ address }) => address));
  return data({
    send: { id: send.id, title: send.title, audience: send.audience, createdBy: send.created_by },
    book,
    mail,
    waiting,
    now: Date.now(),
    state,
    rows: rows.slice(0, ROWS).map((row) => ({ ...row, person: persons.get(emailKey(row.address)) })),
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
  const { send, book, mail, waiting, now, state, rows, next, asksToCancel } = useLoaderData<typeof loader>();
  const isRunning = book.state === "preparing" || book.state === "sending";
  return (
    <>
      <PageHeader
        title={send.title}
        state={operatorMessages.outreachBooks.summary(send.audience, send.createdBy)}
        actions={
          <SendStateBadge
            state={book.state}
            hasBegun={!hasNotBegun(waiting)}
            isMixed={book.sent === 0 || book.failed + book.uncertain > 0}
          />
        }
      />
      {isRunning && !asksToCancel ? (
        <LookAgain everySeconds={isFarAway(waiting, now) ? 30 : 1} seen={now} />
      ) : null}
      <Notice className="mb-4" />
      <div className="flex flex-col gap-4">
        <Trouble
          book={book}
          waiting={waiting}
          now={now}
          cancelLink={`${paths.outreachSend(send.id)}?step=cancel`}
        />
        <Books sendId={send.id} book={book} selected={state} />
        {book.uncertain > 0 ? <Uncertain count={book.uncertain} /> : null}
        <Deliveries sendId={send.id} state={state} rows={rows} next={next} />
        {mail ? (
          <Card>
            <details className="group/mail">
              <summary className="flex items-center gap-2 rounded-lg px-4 py-3 text-sm font-semibold hover:bg-muted">
                <ChevronRight
                  aria-hidden
                  className="size-4 text-muted-foreground transition-transform group-open/mail:rotate-90"
                />
                {operatorMessages.outreach.mailTitle}
              </summary>
              <CardContent>
                <MailPreview sendId={send.id} mail={mail} />
              </CardContent>
            </details>
          </Card>
        ) : null}
      </div>
      {asksToCancel ? <CancelQuestion sendId={send.id} waiting={book.pending} /> : null}
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
