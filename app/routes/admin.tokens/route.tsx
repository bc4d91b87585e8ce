import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodeBlock } from "~/components/code-block";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { DataTable, type Column } from "~/components/data-table";
import { ChevronDown, CircleAlert, CircleCheck, CircleSlash, type LucideIcon } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { Timestamp } from "~/components/timestamp";
import { Badge } from "~/components/ui/badge";
import { ButtonLink } from "~/components/button-link";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { useInert } from "~/components/use-inert";
import { useLast } from "~/components/use-last";
import { backOfficeTitle } from "~/components/use-brand";
import { tokenMessages as copy } from "~/content/tokens";
import { linkTo, readPage, readPlace, toPageLinks, type UrlState } from "~/http/list-state";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import type { ListedToken } from "~/services/api-tokens/api-tokens.server";
import { listGrantableScopes, TOKEN_SORTS, type TokenState } from "~/services/api-tokens/token";
import { access, apiTokens, origin } from "~/services/container.server";
import { actOnTokens, tokensList } from "./actions.server";
import { NewTokenForm, TokenBanner } from "./new-token";

const PAGE_SIZE = 100;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const { values, filter: order } = tokensList.readLoosely(searchParams);
  const [page, lastUsedAt, tokenToRevoke] = await Promise.all([
    readPage(
      readPlace(searchParams),
      PAGE_SIZE,
      (page) => apiTokens.list(operator, page, order),
      order.direction,
    ),
    apiTokens.getLastUse(operator),
    apiTokens.find(operator, searchParams.get("revoke") ?? ""),
  ]);
  return {
    origin,
    scopes: listGrantableScopes(operator.role),
    values,
    ...page,
    lastUsedAt,
    question: tokenToRevoke?.state === "active" ? tokenToRevoke : undefined,
    now: Date.now(),
  };
}

type TokensView = Awaited<ReturnType<typeof loader>>;

export async function action({ request }: ActionFunctionArgs) {
  const operator = await access.requireAccount(request);
  return actOnTokens(request, operator);
}

export const clientAction = keepForm(({ values, fields }) => ({
  values: { ...values, scopes: fields.getAll("scopes") },
}));

/** The API Tokens screen: the account's own tokens; all tokens for a superadmin. */
export default function Tokens() {
  const view = useLoaderData<typeof loader>();
  const { origin, question, lastUsedAt } = view;
  const list = { ...view.values, ...view.place };
  const answer = useActionData<typeof action>();
  const inert = useInert(question !== undefined);
  const issued = answer?.kind === "issued" ? answer : undefined;
  const made = useLast(issued?.token);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={copy.title}
          state={copy.state}
          latest={
            lastUsedAt === undefined ? undefined : { text: copy.lastCall, at: lastUsedAt, now: view.now }
          }
        />
        <div className="flex flex-col gap-6">
          <Notice />
          {issued ? <TokenBanner key={issued.token} issued={issued} /> : null}
          <NewTokenForm
            // Remounts, and so empties, the form after each token created.
            key={`after ${made}`}
            list={list}
            answer={answer?.kind === "refused" ? answer : undefined}
            scopes={view.scopes}
          />
          {view.rows.length === 0 && view.isFirst ? (
            <FirstToken origin={origin} />
          ) : (
            <>
              <TokenList view={view} />
              <HowToCall origin={origin} />
            </>
          )}
        </div>
      </div>
      {question ? <RevokeQuestion token={question} list={list} /> : null}
    </>
  );
}

/**
 * Asks before a token is revoked, and says what stops working. Its address is `?revoke=...`.
 * @param list the order and the page of the list under it.
 */
function RevokeQuestion({ token, list }: { token: ListedToken; list: UrlState }) {
  const { text, ...question } = copy.question;
  return (
    <ConfirmDialog
      {...question}
      closeTo={linkTo(paths.tokens, list)}
      intent="revoke"
      isDestructive
      fields={<input type="hidden" name="token" value={token.id} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="block font-medium">{token.name}</bdi>
        <span className="text-muted-foreground">
          <code className="font-mono">{token.prefix}…</code> · <bdi>{token.createdBy}</bdi>
        </span>
      </p>
      {text.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

/** Replaces the empty list: says what a token is for. */
function FirstToken({ origin }: { origin: string }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.emptyTitle}</CardTitle>
        <CardDescription className="max-w-[42.9em]">{copy.empty}</CardDescription>
      </CardHeader>
      <CardContent className="flex flex-col gap-3">
        <Example origin={origin} />
      </CardContent>
    </Card>
  );
}

/** The same example below a list of tokens. */
function HowToCall({ origin }: { origin: string }) {
  return (
    <Card>
      <details className="group">
        <summary className="flex cursor-pointer items-center justify-between gap-3 rounded-lg px-4 py-2.5 text-sm font-medium">
          {copy.howTitle}
          <ChevronDown
            aria-hidden
            className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-180"
          />
        </summary>
        <CardContent className="flex flex-col gap-3 border-t">
          <p className="text-muted-foreground">{copy.how}</p>
          <Example origin={origin} />
        </CardContent>
      </details>
    </Card>
  );
}

function Example({ origin }: { origin: string }) {
  return (
    <>
      <CodeBlock label={copy.howTitle}>{formatExample(origin)}</CodeBlock>
      <p className="text-xs text-muted-foreground">
        {copy.further.before} <code className="font-mono">docs/api.md</code> {copy.further.after}
      </p>
    </>
  );
}

function formatExample(origin: string): string {
  const email = {
    ToEmail: "ada@example.com",
    Subject: "Your invitation",
    Content: "<p>Come in, Ada.</p>",
  };
  return [
    `curl ${origin}${paths.apiSendEmail} \\`,
    `  -H "Authorization: Bearer fd_..." \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -H "Idempotency-Key: invitation-of-ada" \\`,
    `  -d '${JSON.stringify(email)}'`,
  ].join("\n");
}

const { columns: names } = copy;

function TokenList({ view }: { view: TokensView }) {
  const { now, values } = view;
  const columns: Column<ListedToken>[] = [
    {
      name: names.token,
      sort: [
        { by: "name", name: names.token },
        { by: "created", name: names.created },
      ],
      cell: (token) => <Name token={token} />,
    },
    {
      name: names.scopes,
      width: "sm:w-[26%] md:w-[21%]",
      card: "labelled",
      cell: ({ scopes }) => <span>{formatScopes(scopes)}</span>,
    },
    {
      name: names.createdBy,
      width: "md:w-[13%]",
      className: "sm:max-md:hidden",
      card: "labelled",
      cell: (token) => <Creator token={token} />,
    },
    {
      name: names.expires,
      sort: "expires",
      width: "sm:w-24 md:w-[11%]",
      card: "labelled",
      cell: ({ expiresAt }) => <At at={expiresAt} now={now} />,
    },
    {
      name: names.lastUsed,
      sort: "used",
      width: "md:w-[13%]",
      className: "sm:max-md:hidden",
      card: "labelled",
      cell: ({ lastUsedAt }) => <At at={lastUsedAt} now={now} />,
    },
    {
      name: names.state,
      width: "sm:w-28 md:w-[11%]",
      card: "labelled",
      cell: ({ state }) => <State state={state} />,
    },
    {
      name: names.actions,
      width: "sm:w-24",
      className: "max-sm:mt-2 sm:text-right",
      isHeaderHidden: true,
      cell: (token) => <Revoke token={token} list={{ ...values, ...view.place }} />,
    },
  ];
  return (
    <DataTable
      caption={copy.listTitle}
      columns={columns}
      rows={view.rows}
      // Without a token there is no list: FirstToken replaces it.
      empty={null}
      sorting={{ path: paths.tokens, sorts: TOKEN_SORTS, values }}
      paging={{
        newestNoun: values.sort || values.order ? undefined : "tokens",
        ...toPageLinks(paths.tokens, view, values),
      }}
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

function Creator({ token: { createdBy, isOwn } }: { token: ListedToken }) {
  if (isOwn) return <Badge variant="default">{copy.you}</Badge>;
  return <bdi className="wrap-anywhere">{createdBy}</bdi>;
}

function At({ at, now }: { at: number | null; now: number }) {
  if (at === null) return <span className="text-muted-foreground">{copy.never}</span>;
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

function Revoke({ token: { id, name, state }, list }: { token: ListedToken; list: UrlState }) {
  if (state !== "active") return null;
  return (
    <ButtonLink
      to={linkTo(paths.tokens, { ...list, revoke: id })}
      preventScrollReset
      data-delete
      variant="destructive-ghost"
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

export { Failure as ErrorBoundary } from "~/components/failure";
