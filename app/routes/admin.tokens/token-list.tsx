import { DataTable, type Column } from "~/components/data-table";
import { CircleAlert, CircleCheck, CircleSlash, type Icon } from "~/components/icons";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/ui/button";
import { tokenMessages as copy } from "~/content/tokens";
import { linkTo, toPageLinks } from "~/http/list-state";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";
import type { ListedToken } from "~/services/api-tokens/api-tokens.server";
import type { TokenState } from "~/services/api-tokens/token-life";
import type { TokensView } from "./route";

const { columns: names } = copy;

export function TokenList({ view }: { view: TokensView }) {
  const { now } = view;
  const columns: Column<ListedToken>[] = [
    { name: names.token, cell: (token) => <Name token={token} /> },
    {
      name: names.scopes,
      width: "sm:w-[26%] md:w-[28%]",
      card: "labelled",
      cell: ({ scopes }) => <span>{formatScopes(scopes)}</span>,
    },
    {
      name: names.createdBy,
      width: "md:w-[14%]",
      className: "sm:max-md:hidden",
      card: "labelled",
      cell: (token) => <Maker token={token} />,
    },
    {
      name: names.expires,
      width: "sm:w-24 md:w-[11%]",
      card: "labelled",
      cell: ({ expiresAt }) => <At at={expiresAt} fallback={copy.never} now={now} />,
    },
    {
      name: names.lastUsed,
      width: "md:w-[10%]",
      className: "sm:max-md:hidden",
      card: "labelled",
      cell: ({ lastUsedAt }) => <At at={lastUsedAt} fallback={copy.notUsed} now={now} />,
    },
    {
      name: names.state,
      width: "sm:w-28 md:w-[13%]",
      card: "labelled",
      cell: ({ state }) => <State state={state} />,
    },
    {
      name: names.actions,
      width: "sm:w-24",
      className: "max-sm:mt-2 sm:text-right",
      isHeaderHidden: true,
      cell: (token) => <Revoke token={token} />,
    },
  ];
  return (
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={view.rows}
      empty={null}
      paging={{ entries: "tokens", ...toPageLinks(paths.tokens, view) }}
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

function Maker({ token: { createdBy, isOwn } }: { token: ListedToken }) {
  if (isOwn) return <Badge variant="primary">{copy.you}</Badge>;
  return <bdi className="wrap-anywhere">{createdBy}</bdi>;
}

function At({ at, fallback, now }: { at: number | null; fallback: string; now: number }) {
  if (at === null) return <span className="text-muted-foreground">{fallback}</span>;
  return <Timestamp at={at} now={now} />;
}

const LOOKS: Record<TokenState, { icon: Icon; color: string }> = {
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
    <ButtonLink
      to={linkTo(paths.tokens, { revoke: id })}
      preventScrollReset
      variant="danger"
      className="md:text-xs pointer-fine:md:h-7 pointer-fine:md:px-2"
    >
      {copy.revoke}
      <span className="sr-only"> {name}</span>
    </ButtonLink>
  );
}

/** Names the scopes; an unknown scope is shown as it is. */
function formatScopes(scopes: readonly string[]): string {
  const known: Readonly<Record<string, { name: string }>> = copy.scopes;
  return scopes.map((scope) => known[scope]?.name ?? scope).join(", ");
}
