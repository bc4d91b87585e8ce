import type { ReactNode } from "react";
import { ButtonLink } from "~/components/button-link";
import { TextLink } from "~/components/text-link";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { Card, CardHeader, CardTitle } from "~/components/ui/card";
import { personMessages } from "~/content/person";
import { suppressionMessages } from "~/content/suppressions";
import { waveMessages } from "~/content/waves";
import { linkTo } from "~/http/list-state";
import type { PersonView } from "~/http/person-page.server";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";

const copy = personMessages.facts;

/** What is known of a person at a glance; the timeline beside it says how. */
export function PersonFacts({ view, className }: { view: PersonView; className?: string }) {
  const { address, formerAddresses, company, role, domain, firstSignupAt, now } = view;
  const { confirmation, suppression, reportCount, storedCount, otherEmailCount } = view;
  return (
    <Card role="region" aria-label={copy.title} className={cn("@container/facts", className)}>
      {/* Beside the timeline, which has a title too; above it the facts speak for themselves. */}
      <CardHeader className="border-b max-sm:hidden @min-[30rem]/facts:hidden">
        <CardTitle>{copy.title}</CardTitle>
      </CardHeader>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-4 text-sm @min-[30rem]/facts:grid-cols-3">
        <Fact name={copy.address} className="col-span-2">
          <bdi className="font-mono text-xs">{address}</bdi>
        </Fact>
        {formerAddresses.length > 0 ? (
          <Fact name={copy.formerAddresses} className="col-span-2">
            {formerAddresses.map((former) => (
              <bdi key={former} className="block font-mono text-xs">
                {former}
              </bdi>
            ))}
          </Fact>
        ) : null}
        {company ? (
          <Fact name={copy.company}>
            <TextLink to={paths.peopleOfCompany(company)}>
              <bdi>{company}</bdi>
            </TextLink>
          </Fact>
        ) : null}
        {role ? <Fact name={copy.role}>{role}</Fact> : null}
        <Fact name={copy.domain}>
          <TextLink to={paths.peopleOfDomain(domain)}>
            <bdi className="font-mono text-xs">{domain}</bdi>
          </TextLink>
        </Fact>
        <Fact name={copy.firstSignup}>
          {firstSignupAt === null ? copy.never : <Timestamp at={firstSignupAt} now={now} />}
        </Fact>
        <Fact name={copy.sent}>{copy.submissions(view.formCount, view.hasMoreForms)}</Fact>
        <Fact name={copy.emails}>
          {copy.emailCount(view.emailCount)}
          {otherEmailCount > 0 ? ` ${copy.otherEmailCount(otherEmailCount)}` : null}
          {storedCount > 0 ? (
            <>
              {" "}
              <TextLink to={paths.outbox}>{copy.outbox(storedCount)}</TextLink>
            </>
          ) : null}
        </Fact>
        <Fact name={copy.confirmation}>
          {confirmation ? (
            <>
              {copy.requested} <Timestamp at={confirmation.requested_at} now={now} />,{" "}
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
            copy.neverRequested
          )}
        </Fact>
        {view.invitation ? <InvitationFact invitation={view.invitation} page={view.page} now={now} /> : null}
        <Fact name={copy.suppression}>
          {suppression ? (
            <>
              <Badge variant="warning">{suppressionMessages.reasons[suppression.reason]}</Badge>{" "}
              <Timestamp at={suppression.created_at} now={now} />.{" "}
              {view.hasOptedOutToo ? `${suppressionMessages.optedOutToo}. ` : null}
              <TextLink to={paths.suppressions}>{personMessages.toSuppressions}</TextLink>
            </>
          ) : (
            copy.getsEmails
          )}
        </Fact>
        <Fact name={copy.reports}>{reportCount === 0 ? copy.noReports : copy.reportCount(reportCount)}</Fact>
        <Fact name={copy.devices} className="col-span-full">
          <span className="text-muted-foreground">{copy.devicesAreAnonymous}</span>
        </Fact>
      </dl>
    </Card>
  );
}

type InvitationFactProps = {
  invitation: NonNullable<PersonView["invitation"]>;
  page: string;
  now: number;
};

/** Where the person is between the waiting list and the product, since when, and by which wave. */
function InvitationFact({ invitation, page, now }: InvitationFactProps) {
  const words = waveMessages.person;
  const { state, canRevoke, canResend } = invitation;
  if (state === "waiting") return <Fact name={words.title}>{words.waiting}</Fact>;
  const { wave, invitedAt, joinedAt, joinedEmail, revokedAt, askedAt, openedAt, expiresAt } = invitation;
  const link = wave ? (
    <TextLink to={paths.outreachCampaign(wave.id)} className="whitespace-nowrap">
      {wave.number === null ? (wave.title ?? personMessages.untitled) : waveMessages.wave(wave.number)}
    </TextLink>
  ) : null;
  const dates = [
    { label: words.revoked, at: revokedAt },
    { label: invitation.isExpired ? words.expired : words.expires, at: expiresAt },
    { label: words.asked, at: askedAt },
    { label: words.opened, at: openedAt },
  ];
  return (
    <Fact name={words.title} className="col-span-2">
      <span className="block">
        {state === "reserved" ? <>{words.reserved} </> : null}
        {state === "joined" && joinedAt ? (
          <>
            <Badge variant="success">{words.joined}</Badge> <Timestamp at={joinedAt} now={now} />
            {wave ? "." : `, ${words.withoutWave}.`}{" "}
          </>
        ) : null}
        {state === "undeliverable" ? (
          <>
            <Badge variant="warning">{waveMessages.states.undeliverable}</Badge> {words.undeliverable}{" "}
          </>
        ) : null}
        {state !== "reserved" && wave ? (
          <>
            {words.invited}{" "}
            {/* Once it is sent again, the time is the new email's, and the state still that of the one that came back. */}
            {invitedAt && state !== "undeliverable" ? <Timestamp at={invitedAt} now={now} /> : null}{" "}
            {words.by}{" "}
          </>
        ) : null}
        {link}
        {link ? "." : null}
      </span>
      {joinedEmail ? (
        <span className="block">
          {words.joined} {words.joinedAs} <bdi className="font-mono text-xs">{joinedEmail}</bdi>
        </span>
      ) : null}
      {dates.map(({ label, at }) =>
        at ? (
          <span key={label} className="block text-muted-foreground">
            {label} <Timestamp at={at} now={now} />.
          </span>
        ) : null,
      )}
      {canRevoke || canResend ? (
        <span className="mt-2 flex flex-wrap gap-2">
          {canResend ? (
            <ButtonLink to={linkTo(page, { step: "invite-again" })} size="sm" preventScrollReset>
              {words.resend}
            </ButtonLink>
          ) : null}
          {canRevoke ? (
            <ButtonLink to={linkTo(page, { step: "revoke" })} size="sm" preventScrollReset>
              {words.revoke}
            </ButtonLink>
          ) : null}
        </span>
      ) : null}
    </Fact>
  );
}

type FactProps = { name: string; className?: string; children: ReactNode };

function Fact({ name, className, children }: FactProps) {
  return (
    <div className={cn("flex min-w-0 flex-col gap-0.5", className)}>
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
