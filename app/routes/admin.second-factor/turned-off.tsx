import { Form, useNavigation } from "@remix-run/react";
import { ShieldCheck } from "~/components/icons";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { PasswordField } from "./password-field";
import { Refusal } from "./refusal";
import type { Refused } from "./refusal";

const copy = operatorMessages.secondFactor.off;

interface TurnedOffProps {
  email: string;
  isRequired: boolean;
  refused: Refused | undefined;
}

/** What it is, why, and the form that begins it. */
export function TurnedOff({ email, isRequired, refused }: TurnedOffProps) {
  const busy = useNavigation().formData?.get("intent") === "begin";
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLInputElement>("input[name=password]")?.select();
  }, [refused]);

  return (
    <Card className="flex gap-4 p-4 sm:p-6">
      <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-primary" />
      <div className="min-w-0">
        <p className="max-w-[60ch] text-base">{copy.explains.join(" ")}</p>
        {isRequired ? <p className="mt-3 max-w-[60ch] font-medium">{copy.required}</p> : null}
        <Form ref={form} method="post" className="mt-5 flex max-w-sm flex-col gap-4">
          <Refusal refused={busy ? undefined : refused} />
          <PasswordField email={email} error={refused?.errors.password} />
          <Button
            type="submit"
            name="intent"
            value="begin"
            size="dense"
            disabled={busy}
            className="self-start"
          >
            {copy.begin}
          </Button>
        </Form>
        <p className="mt-3 text-xs text-muted-foreground">{copy.needs}</p>
      </div>
    </Card>
  );
}
