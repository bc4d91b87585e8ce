import { Form, useNavigation } from "@remix-run/react";
import { ShieldCheck } from "lucide-react";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/operator-messages";

const copy = operatorMessages.secondFactor.off;

/** What it is, why, and the one button that begins it. */
export function TurnedOff({ isRequired }: { isRequired: boolean }) {
  const busy = useNavigation().formData?.get("intent") === "begin";
  return (
    <Card className="flex gap-4 p-4 sm:p-6">
      <ShieldCheck aria-hidden className="mt-0.5 size-6 shrink-0 text-primary" />
      <div className="min-w-0">
        <p className="max-w-[60ch] text-base">{copy.explains.join(" ")}</p>
        {isRequired ? <p className="mt-3 max-w-[60ch] font-medium">{copy.required}</p> : null}
        <Form method="post" className="mt-5">
          <Button type="submit" name="intent" value="begin" size="dense" disabled={busy}>
            {copy.begin}
          </Button>
        </Form>
        <p className="mt-3 text-xs text-muted-foreground">{copy.needs}</p>
      </div>
    </Card>
  );
}
