import type { AutomaticRule } from "~/lib/automatic-rules";
import type { MessageFormat } from "~/lib/message-format";

interface AutomaticText {
  readonly subject: string;
  readonly message: string;
  readonly format: MessageFormat;
}

/** What the automatic emails say until an operator changes them. */
export function getAutomaticTexts(name: string): Readonly<Record<AutomaticRule, AutomaticText>> {
  return {
    "thank-you": {
      subject: `You are on the list for ${name}`,
      message: `Hello {{first_name|there}},

thank you for signing up for early access to ${name}. You are on the list. We write to you when your team’s turn comes, and not before there is something to try.

The ${name} team`,
      format: "text",
    },
    welcome: {
      subject: `Welcome to the news from ${name}`,
      message: `Hello {{first_name|there}},

from now on you hear from us when something about ${name} is finished, at most once a month.

The ${name} team`,
      format: "text",
    },
    receipt: {
      subject: `We got your message to ${name}`,
      message: `Hello {{first_name|there}},

thank you for writing to us. One of us reads your message and answers, as a rule within two working days.

The ${name} team`,
      format: "text",
    },
  };
}
