import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmDialog } from "~/components/confirm-dialog";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { useInert } from "~/components/use-hydrated";
import { backOfficeTitle } from "~/content/brand";
import { tokenMessages as copy } from "~/content/tokens";
import { toPage } from "~/http/list-state";
import { paths } from "~/paths";
import type { ListedToken } from "~/services/api-tokens/api-tokens.server";
import { listGrantableScopes } from "~/services/api-tokens/scopes";
import { access, apiTokens, origin } from "~/services/container.server";
import { actOnTokens } from "./actions.server";
import { FirstToken, HowToCall } from "./how-to-call";
import { NewTokenForm, TokenBanner } from "./new-token";
import { TokenList } from "./token-list";

const PAGE_SIZE = 100;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? undefined;
  const [found, tokenToRevoke] = await Promise.all([
    apiTokens.list(person, { before, limit: PAGE_SIZE + 1 }),
    apiTokens.find(person, searchParams.get("revoke") ?? ""),
  ]);
  const { rows: tokens, older } = toPage(found, PAGE_SIZE);
  const lastUsed = tokens.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return {
    origin,
    scopes: listGrantableScopes(person.role),
    tokens,
    lastUsedAt: lastUsed.length > 0 ? Math.max(...lastUsed) : undefined,
    older,
    isNewest: before === undefined,
    question: tokenToRevoke?.state === "active" ? tokenToRevoke : undefined,
    now: Date.now(),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const person = await access.requireAccount(request);
  return actOnTokens(request, person);
}

/** The API Tokens screen: the account's own tokens; all tokens for a superadmin. */
export default function Tokens() {
  const { origin, scopes, question, lastUsedAt, ...list } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const inert = useInert(question !== undefined);
  return (
    <>
      <div {...inert}>
        <PageHeader
          title={copy.title}
          state={copy.state}
          latest={
            lastUsedAt === undefined ? undefined : { text: copy.lastCall, at: lastUsedAt, now: list.now }
          }
        />
        <div className="flex flex-col gap-6">
          <Notice only={["token-revoked", "token-gone"]} />
          {answer?.kind === "issued" ? <TokenBanner key={answer.token} issued={answer} /> : null}
          <NewTokenForm
            // Remounts, and so empties, the form after each token created.
            key={answer?.kind === "issued" ? `after ${answer.token}` : "form"}
            answer={answer?.kind === "refused" ? answer : undefined}
            scopes={scopes}
          />
          {list.tokens.length === 0 && list.isNewest ? (
            <FirstToken origin={origin} />
          ) : (
            <>
              <TokenList {...list} />
              <HowToCall origin={origin} />
            </>
          )}
        </div>
      </div>
      {question ? <RevokeQuestion token={question} /> : null}
    </>
  );
}

/** Asks before a token is revoked, and says what stops working. Its address is `?revoke=...`. */
function RevokeQuestion({ token }: { token: ListedToken }) {
  return (
    <ConfirmDialog
      title={copy.revokeTitle}
      yes={copy.revokeYes}
      no={copy.keep}
      closeTo={paths.tokens}
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
      {copy.revokeQuestion.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
