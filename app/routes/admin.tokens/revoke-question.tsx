import { ConfirmDialog } from "~/components/confirm-dialog";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { ListedToken } from "~/services/api-tokens/api-tokens.server";

const copy = operatorMessages.tokens;

/** Says which token and what stops working with it. Its address is `?revoke=...`. */
export function RevokeQuestion({ token }: { token: ListedToken }) {
  return (
    <ConfirmDialog
      title={copy.revokeTitle}
      yes={copy.revokeYes}
      no={copy.keep}
      closeTo={paths.tokens}
      action={paths.tokens}
      intent="revoke"
      isDestructive
      fields={<input type="hidden" name="token" value={token.id} />}
    >
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="block font-medium">{token.name}</bdi>
        <span className="text-muted-foreground">
          <code className="font-mono">{token.prefix}…</code> · <bdi>{token.madeBy}</bdi>
        </span>
      </p>
      {copy.revokeQuestion.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </ConfirmDialog>
  );
}
