import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Banner } from "~/components/banner";
import { CodeField } from "~/components/code-field";
import { Button } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";
import type { CodeAnswer } from "./actions.server";

const copy = operatorMessages.secondFactor;

interface CodeFormProps {
  usesRecoveryCode: boolean;
  answer: CodeAnswer | undefined;
}

export function CodeForm({ usesRecoveryCode, answer }: CodeFormProps) {
  const submitting = useNavigation().formMethod === "POST";
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (answer) form.current?.querySelector("input")?.select();
  }, [answer]);

  return (
    <>
      {answer && !submitting ? (
        <Banner kind="error" className="mt-5">
          <p className="font-medium">{answer.message}</p>
          {answer.advice ? <p>{answer.advice}</p> : null}
        </Banner>
      ) : null}
      <Form ref={form} method="post" className="mt-5">
        <fieldset disabled={submitting} className="flex flex-col gap-5">
          <CodeField
            kind={usesRecoveryCode ? "any" : "authentication"}
            label={usesRecoveryCode ? copy.recoveryCode : copy.code}
            error={answer?.error}
            // The one thing to do here, just as the page asks for it.
            autoFocus
          />
          <Button type="submit" className="w-full">
            {submitting ? "Logging in..." : "Login"}
          </Button>
        </fieldset>
      </Form>
    </>
  );
}
