import { Form, useNavigation } from "@remix-run/react";
import { Send } from "lucide-react";
import { EmailStateLine } from "~/components/email-state-line";
import { IntentButton } from "~/components/intent-button";
import { Timestamp } from "~/components/timestamp";
import { Card, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { alertMessages } from "~/content/alerts";
import { decimal } from "~/lib/format-number";
import { paths } from "~/paths";
import type { AlertsView } from "./alerts-view.server";

const copy = alertMessages.test;

/** What becomes of an email by the mail server's answer. */
const ANSWERED: readonly string[] = ["accepted", "refused"];

/** Sends a test, and shows what the mail server said to the last email. */
export function TestCard({ view: { email, lastEmail, now } }: { view: AlertsView }) {
  const isSending = useNavigation().formData?.get("intent") === "test";
  return (
    <Card role="region" aria-labelledby="alert-test">
      <CardHeader>
        <CardTitle id="alert-test">{copy.title}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col gap-3 pt-3 text-sm">
        <p className="wrap-anywhere text-muted-foreground">{copy.about(email)}</p>
        <Form method="post" action={paths.alerts}>
          <IntentButton intent="test" disabled={isSending}>
            <Send aria-hidden />
            {isSending ? copy.sending : copy.send}
          </IntentButton>
        </Form>
        {lastEmail ? (
          <div className="flex flex-col gap-1 border-l-2 pl-3">
            <p className="text-xs text-muted-foreground">
              {copy.last[lastEmail.isTest ? "test" : "alert"]} <Timestamp at={lastEmail.at} now={now} />
              {ANSWERED.includes(lastEmail.state.kind)
                ? `, ${copy.took(decimal(lastEmail.tookMs / 1000))}`
                : null}
            </p>
            <EmailStateLine state={lastEmail.state} />
          </div>
        ) : null}
      </CardContent>
    </Card>
  );
}
