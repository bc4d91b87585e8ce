import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, toTooltip, type Column } from "~/components/data-table";
import { CircleAlert, CircleCheck, Clock, ShieldCheck, type LucideIcon } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { ColleagueInQuestion } from "~/components/question-parts";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { InvitationBanner, InvitationForm } from "~/components/users/invitation-form";
import { getUnansweredUserDetail } from "~/components/users/unanswered-user-form";
import { TemporaryPassword, UserManagementPanel } from "~/components/users/user-management-panel";
import { useInert } from "~/components/use-inert";
import { useLast } from "~/components/use-last";
import { backOfficeTitle } from "~/components/use-brand";
import { secondFactorMessages } from "~/content/second-factor";
import { userMessages as copy } from "~/content/users";
import { linkTo, readPage, readPlace, toPageLinks, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { AccountState as State, ListedAccount } from "~/services/accounts/user-management.server";
import { ACCOUNT_SORTS } from "~/services/accounts/account-sorts";
import { access, invitations, userManagement } from "~/services/container.server";
import { actOnUsers, usersList } from "./actions.server";
import { INVITATION_STEPS, InvitationList, InvitationQuestion } from "./invitation-list";

const PAGE_SIZE = 100;
const STEPS = ["remove", "reissue", "reset-second-factor", "promote", "demote"] as const;
type Step = (typeof STEPS)[number];

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireRole(request, "superadmin");
  const { searchParams } = new URL(request.url);
  const { values, filter: order } = usersList.readLoosely(searchParams);
  const [total, page, pending, accountToConfirm, invitationToConfirm] = await Promise.all([
    userManagement.count(),
    readPage(
      readPlace(searchParams),
      PAGE_SIZE,
      (page) => userManagement.list(operator, page, order),
      order.direction,
    ),
    invitations.list(),
    userManagement.find(operator, searchParams.get("account") ?? ""),
    invitations.find(searchParams.get("invitation") ?? ""),
  ]);
  const invitationStep = INVITATION_STEPS.find((known) => known === searchParams.get("step"));
  const step = STEPS.find((known) => known === searchParams.get("step"));
  const isPossible = step && accountToConfirm && listSteps(accountToConfirm).includes(step);
  return {
    total,
    invitations: pending,
    invitationQuestion:
      invitationStep && invitationToConfirm
        ? { step: invitationStep, invitation: invitationToConfirm }
        : undefined,
    values,
    ...page,
    question: isPossible ? { step, account: accountToConfirm } : undefined,
    now: Date.now(),
  };
}

/** Lists what can be done to an account, in the order of its buttons. */
function listSteps({ protection, roleProtection, role, hasSecondFactor }: ListedAccount): Step[] {
  const steps: Step[] = [];
  if (!protection) steps.push("reissue");
  if (!protection && hasSecondFactor) steps.push("reset-second-factor");
  if (!roleProtection) steps.push(role === "admin" ? "promote" : "demote");
  if (!protection) steps.push("remove");
  return steps;
}

type UsersView = Awaited<ReturnType<typeof loader>>;

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireRole(request, "superadmin");
  return actOnUsers(request, operator);
}

export const clientAction = keepForm(({ values }) => getUnansweredUserDetail(values));

export default function Users() {
  const view = useLoaderData<typeof loader>();
  const { invitationQuestion, now } = view;
  const list = { ...view.values, ...view.place };
  const answer = useActionData<typeof action>();
  const isRefused = answer?.kind === "refused" && answer.form === "user";
  // After a refusal the page keeps its data, and so its question, which has been answered.
  const answered = useLast(isRefused ? view.question : undefined);
  const question = view.question === answered ? undefined : view.question;
  const isAsking = question !== undefined || invitationQuestion !== undefined;
  const inert = useInert(isAsking);
  const invited = answer?.kind === "invited" ? answer : undefined;
  const link = useLast(invited?.url);
  const refusedInvitation = answer?.kind === "refused" && answer.form === "invitation" ? answer : undefined;
  const isUserAnswer = answer?.kind === "issued" || isRefused;
  return (
    <>
      <div {...inert}>
        <PageHeader title={copy.title} state={copy.total(view.total)} />
        <div className="flex flex-col gap-6">
          <Notice />
          {/* Not behind the question: closing gives the focus back, and the time would run unseen. */}
          {answer?.kind === "issued" && !isAsking ? (
            <TemporaryPassword key={answer.temporaryPassword} issued={answer} />
          ) : null}
          {invited && !isAsking ? <InvitationBanner key={invited.url} issued={invited} /> : null}
          <UserManagementPanel answer={isUserAnswer ? answer : undefined} list={list} />
          {/* Remounts, and so empties, the form after each invitation. The banner beside it has the link as its key. */}
          <InvitationForm key={`form ${link}`} refused={refusedInvitation} list={list} />
          {view.invitations.length > 0 ? (
            <InvitationList invitations={view.invitations} list={list} now={now} />
          ) : null}
          <AccountList view={view} />
        </div>
      </div>
      {question ? <AccountQuestion {...question} list={list} /> : null}
      {invitationQuestion ? <InvitationQuestion {...invitationQuestion} list={list} /> : null}
    </>
  );
}

const QUESTIONS = { ...copy.questions, "reset-second-factor": secondFactorMessages.users.question };

type AccountQuestionProps = NonNullable<UsersView["question"]> & { list: UrlState };

/**
 * Asks before an action, at `?step=...&account=...`, and says what the account will lose.
 * @param props.list the order and the page of the accounts under it.
 */
function AccountQuestion({ step, account, list }: AccountQuestionProps) {
  const { text, ...question } = QUESTIONS[step];
  return (
    <ConfirmDialog
      {...question}
      closeTo={linkTo(paths.users, list)}
      intent={step}
      isDestructive={step !== "promote"}
      fields={<input type="hidden" name="account" value={account.id} />}
    >
      <ColleagueInQuestion colleague={account} text={text} />
    </ConfirmDialog>
  );
}

const { columns: names } = copy;
const secondFactor = secondFactorMessages.users;

function AccountList({ view }: { view: UsersView }) {
  const { now, values } = view;
  const columns: Column<ListedAccount>[] = [
    {
      name: names.user,
      sort: [
        { by: "name", name: names.user },
        { by: "created", name: names.created },
      ],
      width: "sm:w-[34%] md:w-[27%]",
      cell: (account) => <AccountName account={account} />,
    },
    {
      name: names.lastLogin,
      sort: "login",
      width: "md:w-40",
      className: "sm:max-md:hidden",
      card: "labelled",
      cell: (account) => <LastLogin account={account} now={now} />,
    },
    {
      name: names.state,
      card: "labelled",
      cell: (account) => (
        <>
          <AccountState account={account} now={now} />
          {/* On a narrow table there is no column for it. */}
          <div className="mt-1 text-xs text-muted-foreground max-sm:hidden md:hidden">
            {names.lastLogin}: <LastLogin account={account} now={now} />
          </div>
        </>
      ),
    },
    {
      name: names.actions,
      width: "sm:w-58 lg:w-77 xl:w-112",
      className: "max-sm:mt-2",
      cell: (account) => <Actions account={account} list={{ ...values, ...view.place }} />,
    },
  ];
  return (
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={view.rows}
      // The first page has at least the reader.
      empty={null}
      sorting={{ path: paths.users, sorts: ACCOUNT_SORTS, values }}
      paging={{
        newestNoun: values.sort || values.order ? undefined : "users",
        ...toPageLinks(paths.users, view, values),
      }}
    />
  );
}

function AccountName({ account: { fullName, email, role, protection } }: { account: ListedAccount }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <bdi title={toTooltip(fullName)} className="line-clamp-2">
          {fullName}
        </bdi>
        <Badge variant="secondary">{role}</Badge>
        {protection === "yourself" ? <Badge variant="default">{copy.you}</Badge> : null}
      </p>
      <p className="text-xs text-muted-foreground">
        <bdi>{email}</bdi>
      </p>
    </div>
  );
}

function LastLogin({ account: { lastLoginAt, createdAt }, now }: { account: ListedAccount; now: number }) {
  return (
    <>
      {lastLoginAt === null ? (
        <span className="text-muted-foreground">{copy.never}</span>
      ) : (
        <Timestamp at={lastLoginAt} now={now} />
      )}
      <p className="text-xs text-muted-foreground">
        {copy.createdAt} <Timestamp at={createdAt} now={now} />
      </p>
    </>
  );
}

/** Lists an account's actions, and says why it cannot be removed. Screen readers hear the account with each. */
function Actions({ account, list }: { account: ListedAccount; list: UrlState }) {
  const { fullName, protection } = account;
  const labels: Record<Step, [label: string, context: string]> = {
    reissue: [copy.reissue, `for ${fullName}`],
    "reset-second-factor": [secondFactor.reset, `of ${fullName}`],
    promote: [copy.promote, fullName],
    demote: [copy.demote, fullName],
    remove: [copy.remove, fullName],
  };
  const steps = listSteps(account);
  return (
    <div className="flex flex-col gap-2">
      {steps.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {steps.map((step) => (
            <StepLink
              key={step}
              account={account}
              list={list}
              step={step}
              label={labels[step][0]}
              context={labels[step][1]}
            />
          ))}
        </div>
      ) : null}
      {protection ? <p className="text-xs text-muted-foreground">{copy.protections[protection]}</p> : null}
    </div>
  );
}

interface StepLinkProps {
  account: ListedAccount;
  list: UrlState;
  step: Step;
  label: string;
  /** Completes the label for screen readers. */
  context: string;
}

/** Links to the question of an action. Table rows are lower than cards, for pointers that are not fingers. */
function StepLink({ account, list, step, label, context }: StepLinkProps) {
  return (
    <ButtonLink
      to={linkTo(paths.users, { ...list, step, account: account.id })}
      preventScrollReset
      variant={step === "remove" ? "destructive-ghost" : "outline"}
      data-delete={step === "remove" || undefined}
      className="md:text-xs pointer-fine:md:h-7 pointer-fine:md:px-2"
    >
      {label}
      <span className="sr-only"> {context}</span>
    </ButtonLink>
  );
}

const LOOKS: Record<State["kind"], { icon: LucideIcon; color: string }> = {
  waiting: { icon: Clock, color: "text-warning" },
  expired: { icon: CircleAlert, color: "text-destructive" },
  active: { icon: CircleCheck, color: "text-success" },
};

/** Names an account's state and whether it has a second factor; the icons only repeat it. */
function AccountState({ account, now }: { account: ListedAccount; now: number }) {
  const { icon: Icon, color } = LOOKS[account.state.kind];
  return (
    <>
      <span className="flex items-start gap-1.5">
        <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
        <span>{formatState(account, now)}</span>
      </span>
      {account.hasSecondFactor ? (
        <span className="flex items-start gap-1.5">
          <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
          <span>{secondFactor.state}</span>
        </span>
      ) : null}
    </>
  );
}

function formatState({ state, lastLoginAt }: ListedAccount, now: number): ReactNode {
  if (state.kind !== "waiting") return copy.states[state.kind];
  if (state.expiresAt === null) return lastLoginAt === null ? copy.states.notYet : copy.states.temporary;
  return (
    <>
      {lastLoginAt === null ? copy.states.notYetExpires : copy.states.temporaryExpires}{" "}
      <Timestamp at={state.expiresAt} now={now} />
    </>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
