import { Form, Link, useNavigation } from "@remix-run/react";
import { UserPlus } from "~/components/icons";
import { useId } from "react";
import { TextField } from "~/components/text-field";
import { IssuedPassword } from "~/components/issued-password";
import { RefusalBanner } from "~/components/notice";
import { IntentButton } from "~/components/ui/button";
import { userMessages as copy } from "~/content/users";
import type { Refusal } from "~/http/action-result.server";
import { paths } from "~/paths";

const PANEL_ID = "user-management";

interface NewUser {
  email: string;
  fullName: string;
}

export type UsersAnswer =
  /** The one response that holds a temporary password. It answers a POST, so nothing stores it. */
  | {
      kind: "issued";
      message: string;
      email: string;
      fullName: string;
      temporaryPassword: string;
      expiresAt: number;
    }
  | RefusedUser;

export interface RefusedUser extends Refusal<"user"> {
  fields?: { values: NewUser; errors: Partial<NewUser> };
}

export function UserActionResult({ answer }: { answer: UsersAnswer | undefined }) {
  if (answer?.kind === "issued") return <IssuedPassword key={answer.temporaryPassword} issued={answer} />;
  return answer?.kind === "refused" ? <RefusalBanner refusal={answer} /> : null;
}

interface UserManagementPanelProps {
  answer: UsersAnswer | undefined;
  /** True on the Users screen. Elsewhere the panel has that screen's name as a title and links to it. */
  isAtHome?: boolean;
}

/** The User Management panel (specification, section 2), for superadmins only; each screen handles its form. */
export function UserManagementPanel({ answer, isAtHome = false }: UserManagementPanelProps) {
  const navigation = useNavigation();
  const isAdding = navigation.formData?.get("intent") === "add";
  const titleId = useId();
  const fields = answer?.kind === "refused" ? answer.fields : undefined;

  return (
    <section
      aria-labelledby={titleId}
      id={PANEL_ID}
      className="scroll-mt-16 rounded-lg border bg-surface p-4"
    >
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
      {isAtHome || !answer ? null : (
        <div className="mt-4">
          <UserActionResult answer={answer} />
        </div>
      )}
      <Form
        method="post"
        action={isAtHome ? paths.users : `${paths.dashboard}#${PANEL_ID}`}
        // Remounts, and so empties, the form after each user added.
        key={answer?.kind === "issued" ? answer.temporaryPassword : "form"}
        className="mt-4 grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <TextField
          label={copy.email}
          error={fields?.errors.email}

          type="email"
          name="email"
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={fields?.values.email}
        />
        <TextField
          label={copy.fullName}
          error={fields?.errors.fullName}

          name="fullName"
          maxLength={400}
          autoComplete="off"
          defaultValue={fields?.values.fullName}
        />
        <IntentButton
          intent="add"
          disabled={isAdding}
          className="max-md:justify-self-start md:mt-6.5"
          variant="primary"
        >
          <UserPlus aria-hidden />
          {isAdding ? copy.adding : copy.add}
        </IntentButton>
      </Form>
    </section>
  );
}
