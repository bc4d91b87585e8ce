import { Form, Link, useNavigation } from "@remix-run/react";
import { UserPlus } from "~/components/icons";
import { useId } from "react";
import { Field } from "~/components/field";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { operatorMessages } from "~/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.users;

interface NewUser {
  email: string;
  fullName: string;
}

type UserManagementPanelProps = {
  /** On User Management itself: what its form was answered; undefined there when nothing was sent. */
  answer?: { values: NewUser; errors: Partial<NewUser> } | undefined;
  /** On another screen the panel bears the screen's name and leads to it. */
  isAtHome?: boolean;
};

/**
 * The User Management panel (specification, section 2), for superadmins only: whoever renders it has checked that. It
 * always posts to User Management, which answers there, because only there stands the list the answer speaks of.
 */
export function UserManagementPanel({ answer, isAtHome = false }: UserManagementPanelProps) {
  const navigation = useNavigation();
  const isAdding = navigation.formData?.get("intent") === "add";
  const titleId = useId();

  return (
    <section aria-labelledby={titleId} className="rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={titleId} className="text-sm font-semibold">
          {isAtHome ? copy.addTitle : copy.title}
        </h2>
        {isAtHome ? null : (
          <Link to={paths.users} className="text-primary underline underline-offset-4">
            {copy.seeAll}
          </Link>
        )}
        <p className="basis-full text-xs text-muted-foreground">{copy.note}</p>
      </div>
      <Form
        method="post"
        action={paths.users}
        className="mt-4 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <Field label={copy.email} error={answer?.errors.email}>
          {(control) => (
            <Input
              {...control}
              size="dense"
              type="email"
              name="email"
              maxLength={254}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={answer?.values.email}
            />
          )}
        </Field>
        <Field label={copy.fullName} error={answer?.errors.fullName}>
          {(control) => (
            <Input
              {...control}
              size="dense"
              name="fullName"
              maxLength={400}
              autoComplete="off"
              defaultValue={answer?.values.fullName}
            />
          )}
        </Field>
        <Button
          type="submit"
          name="intent"
          value="add"
          size="dense"
          disabled={isAdding}
          className="max-md:justify-self-start md:mt-6.5"
        >
          <UserPlus aria-hidden />
          {isAdding ? copy.adding : copy.add}
        </Button>
      </Form>
    </section>
  );
}
