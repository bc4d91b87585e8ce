import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Banner } from "~/components/banner";
import { Field } from "~/components/field";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { messages } from "~/content/messages";

export interface LoginAnswer {
  message: string;
  email: string;
}

/** Idle, submitting, error (specification, section 4). Success is another page. */
export function LoginForm({ answer }: { answer: LoginAnswer | undefined }) {
  const submitting = useNavigation().formMethod === "POST";
  const password = useRef<HTMLInputElement>(null);
  // Editing clears the message; the next answer, being another object, shows again.
  const [cleared, setCleared] = useState<LoginAnswer>();
  const message = answer === cleared ? undefined : answer?.message;

  useEffect(() => {
    if (answer) password.current?.select();
  }, [answer]);

  return (
    <>
      {message && !submitting ? (
        <Banner kind="error" className="mt-5">
          {message}
        </Banner>
      ) : null}
      <Form method="post" onInput={() => setCleared(answer)} className="mt-6">
        <fieldset disabled={submitting} className="flex flex-col gap-5">
          <Field label="Email">
            {(control) => (
              <Input
                {...control}
                required
                name="email"
                type="email"
                maxLength={254}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                defaultValue={answer?.email}
              />
            )}
          </Field>
          <Field label="Password">
            {(control) => (
              <Input
                {...control}
                required
                ref={password}
                name="password"
                type="password"
                maxLength={1000}
                autoComplete="current-password"
              />
            )}
          </Field>
          <Button type="submit" className="mt-1 w-full">
            {submitting ? "Logging in..." : "Login"}
          </Button>
        </fieldset>
      </Form>
      <p className="mt-6 border-t pt-5 text-xs text-muted-foreground">{messages.login.help}</p>
    </>
  );
}
