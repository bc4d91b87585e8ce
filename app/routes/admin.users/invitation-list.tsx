import { ButtonLink } from "~/components/button-link";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, toTooltip, type Column } from "~/components/data-table";
import { EmailStateLine } from "~/components/email-state-line";
import { ColleagueInQuestion } from "~/components/question-parts";
import { Timestamp } from "~/components/timestamp";
import { EmailChoice } from "~/components/users/invitation-form";
import { invitationMessages as copy } from "~/content/invitations";
import { linkTo, type UrlState } from "~/http/list-state";
import { paths } from "~/paths";
import type { ListedInvitation } from "~/services/invitations/invitations.server";

export const INVITATION_STEPS = ["renew", "revoke"] as const;
export type InvitationStep = (typeof INVITATION_STEPS)[number];

const { columns: names } = copy;

interface InvitationListProps {
  invitations: ListedInvitation[];
  /** The order and the page of the accounts below. */
  list: UrlState;
  now: number;
}

/** Lists the pending invitations with what became of their emails. */
export function InvitationList({ invitations, list, now }: InvitationListProps) {
  const columns: Column<ListedInvitation>[] = [
    {
      name: names.who,
      width: "sm:w-[34%] md:w-[27%]",
      cell: ({ fullName, email }) => (
        <div className="min-w-0 wrap-anywhere">
          <p className="font-medium">
            <bdi title={toTooltip(fullName)} className="line-clamp-2">
              {fullName}
            </bdi>
          </p>
          <p className="text-xs text-muted-foreground">
            <bdi>{email}</bdi>
          </p>
        </div>
      ),
    },
    {
      name: names.state,
      width: "sm:w-40 md:w-56",
      card: "labelled",
      cell: (invitation) => <Waiting invitation={invitation} now={now} />,
    },
    {
      name: names.email,
      card: "labelled",
      cell: ({ delivery }) => <EmailStateLine state={delivery} />,
    },
    {
      name: names.actions,
      width: "sm:w-30 md:w-44",
      className: "max-sm:mt-2",
      cell: (invitation) => <Actions invitation={invitation} list={list} />,
    },
  ];
  return <DataTable caption={copy.listTitle} columns={columns} rows={invitations} empty={null} />;
}

function Waiting({ invitation, now }: { invitation: ListedInvitation; now: number }) {
  const { isExpired, expiresAt, invitedBy } = invitation;
  return (
    <>
      {isExpired ? (
        <span className="text-destructive">{copy.expired}</span>
      ) : (
        <span>
          {copy.waits} <Timestamp at={expiresAt} now={now} />
        </span>
      )}
      <p className="text-xs wrap-anywhere text-muted-foreground">
        {copy.by} <bdi>{invitedBy}</bdi>
      </p>
    </>
  );
}

type ActionsProps = { invitation: ListedInvitation } & Pick<InvitationListProps, "list">;

function Actions({ invitation: { id, fullName }, list }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {INVITATION_STEPS.map((step) => (
        <ButtonLink
          key={step}
          to={linkTo(paths.users, { ...list, step, invitation: id })}
          preventScrollReset
          variant={step === "revoke" ? "destructive-ghost" : "outline"}
          data-delete={step === "revoke" || undefined}
          className="md:text-xs pointer-fine:md:h-7 pointer-fine:md:px-2"
        >
          {copy[step]}
          <span className="sr-only"> for {fullName}</span>
        </ButtonLink>
      ))}
    </div>
  );
}

interface InvitationQuestionProps extends Pick<InvitationListProps, "list"> {
  step: InvitationStep;
  invitation: ListedInvitation;
}

/** Asks before a link is replaced or revoked, at `?step=...&invitation=...`. */
export function InvitationQuestion({ step, invitation, list }: InvitationQuestionProps) {
  const { text, ...question } = copy.questions[step];
  return (
    <ConfirmDialog
      {...question}
      closeTo={linkTo(paths.users, list)}
      intent={step}
      isDestructive={step === "revoke"}
      fields={
        <>
          <input type="hidden" name="invitation" value={invitation.id} />
          {step === "renew" ? <EmailChoice /> : null}
        </>
      }
    >
      <ColleagueInQuestion colleague={invitation} text={text} />
    </ConfirmDialog>
  );
}
