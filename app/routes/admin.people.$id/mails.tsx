import { Link } from "@remix-run/react";
import { DeliveryStateBadge } from "~/components/delivery-state-badge";
import { Timestamp } from "~/components/timestamp";
import { Card, CardFooter } from "~/components/ui/card";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/content/operator-messages";
import { skipReason } from "~/content/outreach";
import { paths } from "~/paths";
import type { PersonView } from "./person-view.server";

const copy = operatorMessages.person;
const WIDTHS = ["w-[34%]", "w-28", "", "w-32"];
const COLUMNS = [copy.columns.send, copy.columns.state, copy.columns.detail, copy.columns.at];

type Mail = PersonView["mails"][number];

type MailsProps = { mails: readonly Mail[]; total: number; now: number };

/** Their rows in the books of campaigns: a table from sm on, below it the same rows as cards. */
export function Mails({ mails, total, now }: MailsProps) {
  return (
    <Card role="region" aria-labelledby="mails" className="overflow-hidden">
      <h2 id="mails" className="px-4 py-3 text-sm font-semibold">
        {copy.mailsTitle}
      </h2>
      {mails.length === 0 ? (
        <p className="border-t px-4 py-6 text-sm text-muted-foreground">{copy.noMails}</p>
      ) : (
        <>
          <table role="table" className="w-full table-fixed border-t text-left text-sm max-sm:block">
            <caption className="sr-only">{copy.mailsTitle}</caption>
            <thead role="rowgroup" className="max-sm:sr-only">
              <tr role="row" className="border-b bg-muted/60 text-2xs text-muted-foreground">
                {COLUMNS.map((name, column) => (
                  <th
                    key={name}
                    role="columnheader"
                    scope="col"
                    className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", WIDTHS[column])}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup" className="max-sm:block">
              {mails.map((mail) => (
                <MailRow key={mail.id} mail={mail} now={now} />
              ))}
            </tbody>
          </table>
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

function MailRow({ mail, now }: { mail: Mail; now: number }) {
  const { campaign_id, title, state, detail, returned, updated_at } = mail;
  const said = state === "skipped" ? skipReason(detail) : detail;
  const cell = "align-top wrap-anywhere sm:px-3 sm:py-2.5 md:py-2";
  return (
    <tr
      role="row"
      className="border-b last:border-b-0 hover:bg-muted/60 max-sm:flex max-sm:flex-col max-sm:items-start max-sm:gap-1.5 max-sm:px-4 max-sm:py-3"
    >
      <td role="cell" className={cn(cell, "sm:pl-4")}>
        <Link
          to={paths.outreachCampaign(campaign_id)}
          className="font-medium text-primary underline-offset-4 hover:underline max-md:underline"
        >
          <bdi className="line-clamp-2">{title || copy.untitled}</bdi>
        </Link>
      </td>
      <td role="cell" className={cell}>
        <DeliveryStateBadge state={state} />
      </td>
      <td role="cell" className={cn(cell, "text-muted-foreground", !said && !returned && "max-sm:hidden")}>
        <bdi>{said}</bdi>
        {returned ? (
          <bdi className="block text-warning">{operatorMessages.outreachBooks.returnedLater(returned)}</bdi>
        ) : null}
      </td>
      <td role="cell" className={cn(cell, "text-muted-foreground max-sm:text-xs sm:pr-4")}>
        <Timestamp at={updated_at} now={now} />
      </td>
    </tr>
  );
}
