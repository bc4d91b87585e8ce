import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, type Column } from "~/components/data-table";
import { CircleAlert, CircleCheck, Clock, ShieldCheck, type LucideIcon } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { useInert } from "~/components/use-hydrated";
import { backOfficeTitle } from "~/content/brand";
import { secondFactorMessages } from "~/content/second-factor";
import { userMessages as copy } from "~/content/users";
import { linkTo, toPage, toPageLinks } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { AccountState as State, ListedAccount } from "~/services/accounts/user-management.server";
import { access, userManagement } from "~/services/container.server";
import { actOnUsers } from "./actions.server";
import { TemporaryPassword, UserManagementPanel } from "./panel";
import { getUnansweredUser } from "./unanswered";

const PAGE_SIZE = 100;
const STEPS = ["remove", "reissue", "reset-second-factor"] as const;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireRole(request, "superadmin");
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? undefined;
  const [total, found, accountToConfirm] = await Promise.all([
    userManagement.count(),
    userManagement.list(person, { before, limit: PAGE_SIZE + 1 }),
    userManagement.find(person, searchParams.get("account") ?? ""),
  ]);
  const step = STEPS.find((known) => known === searchParams.get("step"));
  const isPossible =
    accountToConfirm &&
    !accountToConfirm.protection &&
    (step !== "reset-second-factor" || accountToConfirm.hasSecondFactor);
  return {
    total,
    ...toPage(found, PAGE_SIZE, before),
    question: step && isPossible ? { step, account: accountToConfirm } : undefined,
    now: Date.now(),
  };
}

type UsersView = Awaited<ReturnType<typeof loader>>;

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireRole(request, "superadmin");
  return actOnUsers(request, person);
}

export const clientAction = keepForm(({ values }) => getUnansweredUser(values));

export default function Users() {
  const view = useLoaderData<typeof loader>();
  const { question } = view;
  const answer = useActionData<typeof action>();
  const inert = useInert(question !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader title={copy.title} state={copy.total(view.total)} />
        <div className="flex flex-col gap-6">
          <Notice />
          {/* Not behind the question: closing gives the focus back, and the time would run unseen. */}
          {answer?.kind === "issued" && !question ? (
            <TemporaryPassword key={answer.temporaryPassword} issued={answer} />
          ) : null}
          <UserManagementPanel answer={answer} isAtHome />
          <AccountList view={view} />
        </div>
      </div>
      {question ? <AccountQuestion {...question} /> : null}
    </>
  );
}

const QUESTIONS = { ...copy.questions, "reset-second-factor": secondFactorMessages.users.question };

/** Asks before an action, at `?step=...&account=...`, and says what the account will lose. */
function AccountQuestion({ step, account }: NonNullable<UsersView["question"]>) {
  const { text, ...question } = QUESTIONS[step];
  return (
    <ConfirmDialog
      {...question}
      closeTo={paths.users}
      intent={step}
      isDestructive
      fields={<input type="hidden" name="account" value={account.id} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="block font-medium">{account.fullName}</bdi>
        <bdi className="text-muted-foreground">{account.email}</bdi>
      </p>
      {text.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

const { columns: names } = copy;
const secondFactor = secondFactorMessages.users;

function AccountList({ view }: { view: UsersView }) {
  const { now } = view;
  const columns: Column<ListedAccount>[] = [
    {
      name: names.user,
      width: "sm:w-[34%] md:w-[27%]",
      cell: (account) => <AccountName account={account} />,
    },
    {
      name: names.lastLogin,
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
      width: "sm:w-65 md:w-58 lg:w-77",
      className: "max-sm:mt-2",
      cell: (account) => <Actions account={account} />,
    },
  ];
  return (
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={view.rows}
      empty={null}
      paging={{ entries: "users", ...toPageLinks(paths.users, view) }}
    />
  );
}

function AccountName({ account: { fullName, email, role, protection } }: { account: ListedAccount }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <bdi>{fullName}</bdi>
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

/** Lists an account's actions, or says why there are none. Screen readers hear the account with each. */
function Actions({ account }: { account: ListedAccount }) {
  const { fullName, protection, hasSecondFactor } = account;
  if (protection) return <p className="text-xs text-muted-foreground">{copy.protections[protection]}</p>;
  return (
    <div className="flex flex-wrap gap-2">
      <StepLink account={account} step="reissue" label={copy.reissue} context={`for ${fullName}`} />
      {hasSecondFactor ? (
        <StepLink
          account={account}
          step="reset-second-factor"
          label={secondFactor.reset}
          context={`of ${fullName}`}
        />
      ) : null}
      <StepLink account={account} step="remove" label={copy.remove} context={fullName} />
    </div>
  );
}

interface StepLinkProps {
  account: ListedAccount;
  step: string;
  label: string;
  /** Completes the label for screen readers. */
  context: string;
}

/** Links to the question of an action. Table rows are lower than cards, for pointers that are not fingers. */
function StepLink({ account, step, label, context }: StepLinkProps) {
  return (
    <ButtonLink
      to={linkTo(paths.users, { step, account: account.id })}
      preventScrollReset
      variant={step === "remove" ? "destructive" : "outline"}
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
