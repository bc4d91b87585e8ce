import { Link } from "@remix-run/react";
import { Cell, Head, ListFrame, Row, Term } from "~/components/list-parts";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { ListedAccount } from "~/services/accounts/account-list.server";
import { AccountState } from "./account-state";

const copy = operatorMessages.users;
const { columns } = copy;
const secondFactor = operatorMessages.secondFactor.users;

interface AccountListProps {
  accounts: readonly ListedAccount[];
  /** The id to go on from, when there are older ones. */
  older: string | undefined;
  isNewest: boolean;
  now: number;
}

/** Everyone who can log in, newest first. */
export function AccountList({ accounts, older, isNewest, now }: AccountListProps) {
  return (
    <ListFrame
      title={copy.listTitle}
      entries="users"
      newest={isNewest ? undefined : paths.users}
      older={older === undefined ? undefined : `${paths.users}?before=${older}`}
      heads={
        <>
          <Head className="w-[27%]">{columns.user}</Head>
          <Head className="w-40 max-md:hidden">{columns.lastLogin}</Head>
          <Head>{columns.state}</Head>
          <Head className="w-65 md:w-58 lg:w-77">{columns.actions}</Head>
        </>
      }
      rows={accounts.map((account) => (
        <Row key={account.id}>
          <Cell>
            <Who account={account} />
          </Cell>
          <Cell className="max-md:hidden">
            <LastLogin account={account} now={now} />
            <p className="text-xs text-muted-foreground">
              {copy.createdAt} <Timestamp at={account.createdAt} now={now} />
            </p>
          </Cell>
          <Cell>
            <AccountState account={account} now={now} />
            <p className="mt-1 text-xs text-muted-foreground md:hidden">
              {columns.lastLogin}: <LastLogin account={account} now={now} />
            </p>
          </Cell>
          <Cell>
            <Actions account={account} />
          </Cell>
        </Row>
      ))}
      cards={accounts.map((account) => (
        <li key={account.id} className="flex flex-col gap-3 p-4">
          <Who account={account} />
          <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
            <Term name={columns.created}>
              <Timestamp at={account.createdAt} now={now} />
            </Term>
            <Term name={columns.lastLogin}>
              <LastLogin account={account} now={now} />
            </Term>
            <Term name={columns.state}>
              <AccountState account={account} now={now} />
            </Term>
          </dl>
          <Actions account={account} />
        </li>
      ))}
    />
  );
}

function Who({ account: { fullName, email, role, protection } }: { account: ListedAccount }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <bdi>{fullName}</bdi>
        <Badge>{role}</Badge>
        {protection === "yourself" ? <Badge variant="primary">{copy.you}</Badge> : null}
      </p>
      <p className="text-xs text-muted-foreground">
        <bdi>{email}</bdi>
      </p>
    </div>
  );
}

function LastLogin({ account: { lastLoginAt }, now }: { account: ListedAccount; now: number }) {
  if (lastLoginAt === null) return <span className="text-muted-foreground">{copy.never}</span>;
  return <Timestamp at={lastLoginAt} now={now} />;
}

/** What can be done with it, or why nothing can. The links' names say with whom, for those who hear them one by one. */
function Actions({ account: { id, fullName, protection, hasSecondFactor } }: { account: ListedAccount }) {
  if (protection) return <p className="text-xs text-muted-foreground">{copy.protections[protection]}</p>;
  const linkTo = (step: string) => `${paths.users}?${new URLSearchParams({ step, account: id })}`;
  // A row of the table is lower than a card, for whoever has no finger on it.
  const size = { size: "dense", className: "pointer-fine:md:h-7 pointer-fine:md:px-2 md:text-xs" } as const;
  return (
    <div className="flex flex-wrap gap-2">
      <Link
        to={linkTo("reissue")}
        preventScrollReset
        className={buttonVariants({ variant: "secondary", ...size })}
      >
        {copy.reissue}
        <span className="sr-only"> for {fullName}</span>
      </Link>
      {hasSecondFactor ? (
        <Link
          to={linkTo("reset-second-factor")}
          preventScrollReset
          className={buttonVariants({ variant: "secondary", ...size })}
        >
          {secondFactor.reset}
          <span className="sr-only"> of {fullName}</span>
        </Link>
      ) : null}
      <Link
        to={linkTo("remove")}
        preventScrollReset
        className={buttonVariants({ variant: "danger", ...size })}
      >
        {copy.remove}
        <span className="sr-only"> {fullName}</span>
      </Link>
    </div>
  );
}
