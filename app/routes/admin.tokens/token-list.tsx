import { Link } from "@remix-run/react";
import { CircleAlert, CircleCheck, CircleSlash } from "~/components/icons";
import type { LucideIcon } from "~/components/icons";
import { Cell, Head, ListFrame, Row, Term } from "~/components/list-parts";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";
import type { ListedToken } from "~/services/api-tokens/api-tokens.server";
import type { TokenState } from "~/services/api-tokens/token-life";

const copy = operatorMessages.tokens;
const { columns } = copy;

interface TokenListProps {
  tokens: readonly ListedToken[];
  /** The id to go on from, when there are older ones. */
  older: string | undefined;
  isNewest: boolean;
  now: number;
}

export function TokenList({ tokens, older, isNewest, now }: TokenListProps) {
  return (
    <ListFrame
      title={copy.listTitle}
      entries="tokens"
      newest={isNewest ? undefined : paths.tokens}
      older={older === undefined ? undefined : `${paths.tokens}?before=${older}`}
      heads={
        <>
          <Head>{columns.token}</Head>
          <Head className="w-[32%] md:w-[28%]">{columns.scopes}</Head>
          <Head className="w-[14%] max-md:hidden">{columns.madeBy}</Head>
          <Head className="w-[11%] max-md:hidden">{columns.expires}</Head>
          <Head className="w-[10%] max-md:hidden">{columns.lastUsed}</Head>
          <Head className="w-32 md:w-[10%]">{columns.state}</Head>
          <Head className="w-24">
            <span className="sr-only">{columns.actions}</span>
          </Head>
        </>
      }
      rows={tokens.map((token) => (
        <Row key={token.id}>
          <Cell>
            <Name token={token} />
          </Cell>
          <Cell>{inWords(token.scopes)}</Cell>
          <Cell className="max-md:hidden">
            <Maker token={token} />
          </Cell>
          <Cell className="max-md:hidden">
            <At at={token.expiresAt} otherwise={copy.never} now={now} />
          </Cell>
          <Cell className="max-md:hidden">
            <At at={token.lastUsedAt} otherwise={copy.notUsed} now={now} />
          </Cell>
          <Cell>
            <State state={token.state} />
            <p className="mt-1 text-xs text-muted-foreground md:hidden">
              {columns.expires}: <At at={token.expiresAt} otherwise={copy.never} now={now} />
            </p>
          </Cell>
          <Cell className="text-right">
            <Revoke token={token} />
          </Cell>
        </Row>
      ))}
      cards={tokens.map((token) => (
        <li key={token.id} className="flex flex-col items-start gap-3 p-4">
          <Name token={token} />
          <dl className="grid w-full grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1">
            <Term name={columns.scopes}>{inWords(token.scopes)}</Term>
            <Term name={columns.madeBy}>
              <Maker token={token} />
            </Term>
            <Term name={columns.expires}>
              <At at={token.expiresAt} otherwise={copy.never} now={now} />
            </Term>
            <Term name={columns.lastUsed}>
              <At at={token.lastUsedAt} otherwise={copy.notUsed} now={now} />
            </Term>
            <Term name={columns.state}>
              <State state={token.state} />
            </Term>
          </dl>
          <Revoke token={token} />
        </li>
      ))}
    />
  );
}

function Name({ token: { name, prefix } }: { token: ListedToken }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <bdi className="font-medium">{name}</bdi>
      <p className="font-mono text-xs text-muted-foreground">{prefix}…</p>
    </div>
  );
}

function Maker({ token: { madeBy, isOwn } }: { token: ListedToken }) {
  if (isOwn) return <Badge variant="primary">{copy.you}</Badge>;
  return <bdi className="wrap-anywhere">{madeBy}</bdi>;
}

function At({ at, otherwise, now }: { at: number | null; otherwise: string; now: number }) {
  if (at === null) return <span className="text-muted-foreground">{otherwise}</span>;
  return <Timestamp at={at} now={now} />;
}

const LOOKS: Record<TokenState, { icon: LucideIcon; color: string }> = {
  active: { icon: CircleCheck, color: "text-success" },
  expired: { icon: CircleAlert, color: "text-warning" },
  revoked: { icon: CircleSlash, color: "text-muted-foreground" },
  demoted: { icon: CircleSlash, color: "text-muted-foreground" },
};

function State({ state }: { state: TokenState }) {
  const { icon: Icon, color } = LOOKS[state];
  return (
    <span className="flex items-start gap-1.5">
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", color)} />
      {copy.states[state]}
    </span>
  );
}

function Revoke({ token: { id, name, state } }: { token: ListedToken }) {
  if (state !== "active") return null;
  return (
    <Link
      to={`${paths.tokens}?${new URLSearchParams({ revoke: id })}`}
      preventScrollReset
      className={buttonVariants({
        variant: "danger",
        size: "dense",
        className: "md:text-xs pointer-fine:md:h-7 pointer-fine:md:px-2",
      })}
    >
      {copy.revoke}
      <span className="sr-only"> {name}</span>
    </Link>
  );
}

/** A scope this program does not know is shown as it stands. */
function inWords(scopes: readonly string[]): string {
  const known: Readonly<Record<string, { name: string }>> = copy.scopes;
  return scopes.map((scope) => known[scope]?.name ?? scope).join(", ");
}
