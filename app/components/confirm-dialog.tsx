import { Form, useActionData, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { DialogPage } from "~/components/dialog-page";
import { toUnanswered } from "~/components/keep-form";
import { RefusalBanner } from "~/components/notice";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";

type ConfirmDialogProps = {
  title: string;
  closeTo: string;
  action?: string;
  intent: string;
  yes: string;
  yesBusy?: string;
  no: string;
  isDestructive?: boolean;
  /** Further content of the form: hidden fields, or fields to fill in. */
  fields?: ReactNode;
  /** True when there is a field to fill in, which then gets the initial focus; otherwise "no" gets it. */
  asksForInput?: boolean;
  children: ReactNode;
};

/** A question at its own address, over the page it came from. Both answers work without JavaScript. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, closeTo, action = closeTo, intent, yes, yesBusy = yes, no, fields, children } = props;
  const { isDestructive = false, asksForInput = false } = props;
  const busy = useNavigation().formData?.get("intent") === intent;
  const unanswered = toUnanswered(useActionData());
  return (
    <DialogPage title={title} closeTo={closeTo}>
      <div className="flex flex-col gap-3">
        {unanswered && !busy ? <RefusalBanner refusal={unanswered} /> : null}
        {children}
      </div>
      <Form method="post" action={action} className="mt-6 flex flex-wrap justify-end gap-2">
        {fields}
        <ButtonLink
          to={closeTo}
          preventScrollReset
          data-harmless={asksForInput ? undefined : ""}
          // Without JavaScript the browser focuses it; with it DialogPage does.
          autoFocus={!asksForInput}
        >
          {no}
        </ButtonLink>
        <IntentButton intent={intent} variant={isDestructive ? "destructive" : "default"} disabled={busy}>
          {busy ? yesBusy : yes}
        </IntentButton>
      </Form>
    </DialogPage>
  );
}
