import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { useInert } from "~/components/use-hydrated";
import { UserManagementPanel, UserActionResult } from "~/components/user-management-panel";
import { backOfficeTitle } from "~/content/brand";
import { secondFactorMessages } from "~/content/second-factor";
import { userMessages as copy } from "~/content/users";
import { toPage } from "~/http/list-state";
import { paths } from "~/paths";
import { access, userManagement } from "~/services/container.server";
import { AccountList } from "./account-list";
import { actOnUsers } from "./actions.server";

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

export type UsersView = Awaited<ReturnType<typeof loader>>;

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireRole(request, "superadmin");
  return actOnUsers(request, person);
}

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
          <Notice only={["user-removed", "user-gone", "second-factor-reset"]} />
          {answer?.kind === "issued" ? <UserActionResult answer={answer} /> : null}
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

export { Failure as ErrorBoundary } from "~/components/failure";
