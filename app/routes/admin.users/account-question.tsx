import { Form, Link, useNavigation } from "@remix-run/react";
import { DialogPage } from "~/components/dialog-page";
import { Button, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.users;

const QUESTIONS = {
  remove: { title: copy.removeTitle, says: copy.removeQuestion, yes: copy.removeYes, no: copy.keepUser },
  reissue: { title: copy.reissueTitle, says: copy.reissueQuestion, yes: copy.reissue, no: copy.keepPassword },
};

interface AccountQuestionProps {
  step: keyof typeof QUESTIONS;
  account: { id: string; email: string; fullName: string };
}

/** Neither can be undone, so it says what will be lost, of whom, and asks. Its address is `?step=...&account=...`. */
export function AccountQuestion({ step, account }: AccountQuestionProps) {
  const { title, says, yes, no } = QUESTIONS[step];
  const busy = useNavigation().formData?.get("intent") === step;
  return (
    <DialogPage title={title} closeTo={paths.users}>
      <div className="flex flex-col gap-3">
        <p className="border-l-2 pl-3 wrap-anywhere">
          <bdi className="block font-medium">{account.fullName}</bdi>
          <bdi className="text-muted-foreground">{account.email}</bdi>
        </p>
        {says.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <Form method="post" action={paths.users} className="mt-6 flex flex-wrap justify-end gap-2">
        <input type="hidden" name="account" value={account.id} />
        <Link
          to={paths.users}
          preventScrollReset
          className={buttonVariants({ variant: "secondary", size: "dense" })}
        >
          {no}
        </Link>
        <Button type="submit" name="intent" value={step} variant="danger" size="dense" disabled={busy}>
          {yes}
        </Button>
      </Form>
    </DialogPage>
  );
}
