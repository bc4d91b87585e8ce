import { Form } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { ToLanding } from "~/components/mail-link-page";
import { Button } from "~/components/ui/button";
import { messages } from "~/content/messages";
import { notices } from "~/content/operator-messages";

const copy = messages.confirmUpdates;

interface AnswerProps {
  /** What the link is good for, or that another one was just sent. */
  view: "open" | "confirmed" | "expired" | "link-sent" | "unknown";
  /** Whether it was confirmed just now. */
  isNew: boolean;
  /** Why no new link was sent. */
  failure: string | undefined;
}

export function Answer({ view, isNew, failure }: AnswerProps) {
  switch (view) {
    case "open":
      return (
        <>
          <p>{copy.question}</p>
          <OneButton intent="confirm">{copy.button}</OneButton>
        </>
      );
    case "confirmed":
      return (
        <>
          <Banner kind="success">{isNew ? notices.confirmed.text : copy.confirmedBefore}</Banner>
          <ToLanding />
        </>
      );
    case "expired":
      return (
        <>
          {failure && <Banner kind="error">{failure}</Banner>}
          <p>{copy.expired}</p>
          <OneButton intent="new-link">{copy.newLink}</OneButton>
        </>
      );
    case "link-sent":
      return <Banner kind="success">{notices["link-sent"].text}</Banner>;
    case "unknown":
      return (
        <>
          <Banner kind="error">{copy.unknownLink}</Banner>
          <ToLanding />
        </>
      );
  }
}

function OneButton({ intent, children }: { intent: "confirm" | "new-link"; children: string }) {
  return (
    <Form method="post" reloadDocument>
      <Button type="submit" name="intent" value={intent}>
        {children}
      </Button>
    </Form>
  );
}
