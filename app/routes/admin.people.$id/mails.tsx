import { Link } from "@remix-run/react";
import { Rows, type Column } from "~/components/data-table";
import { DeliveryDetail, DeliveryStateBadge } from "~/components/delivery-state-badge";
import { Timestamp } from "~/components/timestamp";
import { Card, CardFooter } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { PersonView } from "./person.server";

const copy = operatorMessages.person;
const { columns: names } = copy;

type Mail = PersonView["mails"][number];

type MailsProps = { mails: readonly Mail[]; total: number; now: number };

/** Lists their deliveries in all campaigns. */
export function Mails({ mails, total, now }: MailsProps) {
  const columns: Column<Mail>[] = [
    {
      name: names.send,
      className: "sm:w-[34%]",
      cell: ({ campaign_id, title }) => (
        <Link
          to={paths.outreachCampaign(campaign_id)}
          className="font-medium text-primary underline-offset-4 hover:underline max-md:underline"
        >
          <bdi className="line-clamp-2">{title || copy.untitled}</bdi>
        </Link>
      ),
    },
    { name: names.state, className: "sm:w-28", cell: ({ state }) => <DeliveryStateBadge state={state} /> },
    {
      name: names.detail,
      className: "text-muted-foreground",
      card: ({ detail, returned }) => (detail || returned ? "line" : "absent"),
      cell: (mail) => <DeliveryDetail delivery={mail} />,
    },
    {
      name: names.at,
      className: "text-muted-foreground sm:w-32",
      card: "caption",
      cell: ({ updated_at }) => <Timestamp at={updated_at} now={now} />,
    },
  ];
  return (
    <Card role="region" aria-labelledby="mails" className="overflow-hidden">
      <h2 id="mails" className="border-b px-4 py-3 text-sm font-semibold">
        {copy.mailsTitle}
      </h2>
      {mails.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted-foreground">{copy.noMails}</p>
      ) : (
        <>
          <Rows caption={copy.mailsTitle} columns={columns} rows={mails} />
          <CardFooter className="py-2.5">
            <p className="text-xs text-muted-foreground tabular-nums">
              {copy.mailsShown(mails.length, total)}
            </p>
          </CardFooter>
        </>
      )}
    </Card>
  );
}
