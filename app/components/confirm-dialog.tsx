import { Form, Link, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { DialogPage } from "~/components/dialog-page";
import { IntentButton, buttonVariants } from "~/components/ui/button";

type ConfirmDialogProps = {
  title: string;
  /** The way back, for "no" and for closing: where the question came from. */
  closeTo: string;
  /** Where the form goes, and what it says there as `intent`. */
  action: string;
  intent: string;
  yes: string;
  /** What the button says while its form is on the way; the same when left out. */
  yesBusy?: string;
  no: string;
  /** For what takes something away. */
  isDestructive?: boolean;
  /** What else the form carries: hidden fields, or fields to fill in. */
  fields?: ReactNode;
  /** There is something to fill in, which is where the focus begins; else it begins on "no". */
  asksForInput?: boolean;
  /** What happens, to whom, and what will be lost. */
  children: ReactNode;
};

/** A confirm step: a question at an address of its own, over the page it came from. Both answers work without JavaScript. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    closeTo,
    action,
    intent,
    yes,
    yesBusy = yes,
    no,
    isDestructive = false,
    fields,
    asksForInput = false,
    children,
  } = props;
  const busy = useNavigation().formData?.get("intent") === intent;
  return (
    <DialogPage title={title} closeTo={closeTo}>
      <div className="flex flex-col gap-3">{children}</div>
      <Form method="post" action={action} className="mt-6 flex flex-wrap justify-end gap-2">
        {fields}
        <Link
          to={closeTo}
          preventScrollReset
          data-harmless={asksForInput ? undefined : ""}
          className={buttonVariants({ variant: "secondary", size: "dense" })}
        >
          {no}
        </Link>
        <IntentButton intent={intent} variant={isDestructive ? "danger" : "primary"} disabled={busy}>
          {busy ? yesBusy : yes}
        </IntentButton>
      </Form>
    </DialogPage>
  );
}
