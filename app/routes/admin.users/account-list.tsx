import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { buttonVariants } from "~/components/ui/button";
import { cn } from "~/lib/class-names";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";
import type { ListedAccount } from "~/services/accounts/account-list.server";
import { AccountState } from "./account-state";

const copy = operatorMessages.users;
const { columns } = copy;

interface AccountListProps {
  accounts: readonly ListedAccount[];
  /** The id to go on from, when there are older ones. */
  older: string | undefined;
  isNewest: boolean;
  now: number;
}

/** Everyone who can log in, newest first: a table from md on, cards below it. CSS shows one of the two. */
export function AccountList({ accounts, older, isNewest, now }: AccountListProps) {
  return (
    <section aria-label={copy.listTitle} className="rounded-lg border bg-surface">
      <table className="hidden w-full table-fixed text-left md:table">
        <caption className="sr-only">{copy.listTitle}</caption>
        <thead>
          <tr className="border-b bg-muted/60 text-2xs text-muted-foreground">
            <Head className="w-[27%]">{columns.user}</Head>
            <Head className="w-40">{columns.lastLogin}</Head>
            <Head>{columns.state}</Head>
            <Head className="w-58 lg:w-77">{columns.actions}</Head>
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id} className="border-b last:border-b-0 hover:bg-muted/60">
              <Cell>
                <Who account={account} />
              </Cell>
              <Cell>
                <LastLogin account={account} now={now} />
                <p className="text-xs text-muted-foreground">
                  {copy.createdAt} <Timestamp at={account.createdAt} now={now} />
                </p>
              </Cell>
              <Cell>
                <AccountState account={account} now={now} />
              </Cell>
              <Cell>
                <Actions account={account} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="divide-y md:hidden">
        {accounts.map((account) => (
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
      </ul>
      {older !== undefined || !isNewest ? (
        <nav
          aria-label={`Pages of ${copy.listTitle}`}
          className="flex justify-end gap-2 border-t px-4 py-2.5"
        >
          {isNewest ? null : <PageLink to={paths.users}>{copy.newest}</PageLink>}
          {older === undefined ? null : (
            <PageLink to={`${paths.users}?before=${older}`}>{copy.older}</PageLink>
          )}
        </nav>
      ) : null}
    </section>
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
function Actions({ account: { id, fullName, protection } }: { account: ListedAccount }) {
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

function Head({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn("h-8 px-3 font-medium first:pl-4 last:pr-4", className)}>
      {children}
    </th>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cn("px-3 py-2 align-top first:pl-4 last:pr-4", className)}>{children}</td>;
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid">
      <dt className="text-xs leading-5 text-muted-foreground">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PageLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={buttonVariants({ variant: "secondary", size: "dense" })}>
      {children}
    </Link>
  );
}
