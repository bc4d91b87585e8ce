import { Form, useActionData, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { toUnanswered } from "~/components/keep-form";
import { RefusalBanner } from "~/components/notice";
import type { Refusal } from "~/http/action-result.server";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogFooter,
  AlertDialogHeader,
  AlertDialogTitle,
} from "~/components/ui/alert-dialog";

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
  /** Why the server refused the answer. */
  refused?: Refusal | undefined;
  children: ReactNode;
};

/** A question at its own address, over the page it came from. Both answers work without JavaScript. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, closeTo, action = closeTo, intent, yes, yesBusy = yes, no, fields, children } = props;
  const { isDestructive = false, asksForInput = false } = props;
  const busy = useNavigation().formData?.get("intent") === intent;
  const unanswered = toUnanswered(useActionData());
  const refusal = unanswered ?? props.refused;
  return (
    <AlertDialog closeTo={closeTo}>
      <AlertDialogContent>
        <AlertDialogHeader>
          <AlertDialogTitle>{title}</AlertDialogTitle>
          {refusal && !busy ? <RefusalBanner refusal={refusal} /> : null}
          <AlertDialogDescription className="flex flex-col gap-3 text-foreground">
            {children}
          </AlertDialogDescription>
        </AlertDialogHeader>
        <Form method="post" action={action} className="flex flex-col gap-4">
          {fields}
          <AlertDialogFooter>
            <AlertDialogCancel
              // Focused at first: with JavaScript by data-harmless (ui/dialog.tsx), without it by autoFocus.
              data-harmless={asksForInput ? undefined : ""}
              autoFocus={!asksForInput}
            >
              {no}
            </AlertDialogCancel>
            <AlertDialogAction
              name="intent"
              value={intent}
              variant={isDestructive ? "destructive" : "default"}
              disabled={busy}
            >
              {busy ? yesBusy : yes}
            </AlertDialogAction>
          </AlertDialogFooter>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}
