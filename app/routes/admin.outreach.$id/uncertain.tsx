import { Form } from "@remix-run/react";
import { Button } from "~/components/ui/button";
import { Card, CardContent } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";

const copy = operatorMessages.outreachBooks;

/** Mails that may or may not have arrived: a person decides. */
export function Uncertain({ count }: { count: number }) {
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 basis-80">{copy.uncertainQuestion(count)}</p>
        <Form method="post" className="flex flex-wrap gap-2">
          <input type="hidden" name="intent" value="decide" />
          <Button type="submit" name="decision" value="resend" variant="secondary" size="dense">
            {copy.resend}
          </Button>
          <Button type="submit" name="decision" value="count-as-sent" variant="secondary" size="dense">
            {copy.countAsSent}
          </Button>
        </Form>
      </CardContent>
    </Card>
  );
}
