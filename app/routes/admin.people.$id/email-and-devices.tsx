import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { PersonView } from "./person.server";

const copy = operatorMessages.person;
const LINK = "text-primary underline underline-offset-4";

/** Shows the address: its confirmation, suppression, delivery reports and devices. */
export function EmailAndDevices({ view }: { view: PersonView }) {
  const { confirmation, suppression, reports, outbox, now } = view;
  return (
    <Card role="region" aria-labelledby="standing">
      <h2 id="standing" className="border-b px-4 py-3 text-sm font-semibold">
        {copy.emailAndDevicesTitle}
      </h2>
      <dl className="flex flex-col gap-4 p-4 text-sm">
        <Fact name={copy.confirmation}>
          {confirmation ? (
            <>
              {copy.asked} <Timestamp at={confirmation.asked_at} now={now} />,{" "}
              {confirmation.confirmed_at === null ? (
                copy.notConfirmed
              ) : (
                <>
                  {copy.confirmed} <Timestamp at={confirmation.confirmed_at} now={now} />
                </>
              )}
              .
            </>
          ) : (
            copy.neverAsked
          )}
        </Fact>
        <Fact name={copy.suppression}>
          {suppression ? (
            <>
              <Badge variant="warning">{operatorMessages.suppressions.reasons[suppression.reason]}</Badge>{" "}
              <Timestamp at={suppression.created_at} now={now} />.{" "}
              {suppression.opted_out === 1 ? `${copy.optedOut}. ` : null}
              {suppression.detail ? (
                <bdi className="block text-muted-foreground">{suppression.detail}</bdi>
              ) : null}
              <Link to={paths.suppressions} className={LINK}>
                {copy.toSuppressions}
              </Link>
            </>
          ) : (
            copy.getsMail
          )}
        </Fact>
        <Fact name={copy.reports}>
          {reports.length === 0 ? (
            copy.noReports
          ) : (
            <ul className="flex flex-col gap-1">
              {reports.map(({ type, reason, happened_at }, index) => (
                <li key={index}>
                  {copy.reportKinds[type]} <Timestamp at={happened_at} now={now} />
                  {reason ? <bdi className="block text-muted-foreground">{reason}</bdi> : null}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        {outbox.length > 0 ? (
          <Fact name={copy.outboxName}>
            <Link to={paths.outbox} className={LINK}>
              {copy.outbox(outbox.length)}
            </Link>
          </Fact>
        ) : null}
        <Fact name={copy.devices}>{copy.devicesAreAnonymous}</Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
