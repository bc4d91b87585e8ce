import { Banner } from "~/components/banner";
import { Clock } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { campaignStartMessages } from "~/content/campaign-start";
import { campaignStatusMessages } from "~/content/outreach";

type CampaignHoldProps = {
  sentence: string;
  /** The mail server's reply; present when an operator has to fix something. */
  words?: string | undefined;
};

export function CampaignHold({ sentence, words }: CampaignHoldProps) {
  if (words !== undefined) {
    return (
      <Banner kind="error">
        <p className="font-medium">
          <Sentence>{sentence}</Sentence>
        </p>
        <p className="break-words">{words}</p>
      </Banner>
    );
  }
  return (
    <p
      role="status"
      className="flex items-start gap-2.5 rounded-md border border-info/40 bg-info-surface px-3.5 py-2.5"
    >
      <Clock aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
      <span>
        <Sentence>{sentence}</Sentence>
      </span>
    </p>
  );
}

const EXACT_TIME = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?: UTC)?)/;

/** Renders text whose times do not break at their hyphens. */
export function Sentence({ children }: { children: string }) {
  const parts = children.split(EXACT_TIME);
  return parts.map((part, index) =>
    EXACT_TIME.test(part) ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

const BUTTONS = {
  begin: { variant: "outline", label: campaignStartMessages.beginNow, step: "send-now" },
  cancel: { variant: "destructive", label: campaignStatusMessages.cancel, step: "cancel" },
} as const;

interface CampaignButtonProps {
  intent: keyof typeof BUTTONS;
  /** The campaign's page, to which the form around the button posts. */
  page: string;
  /** In the hold window there is no confirmation step: nothing was sent and time is short. */
  isHeld: boolean;
}

/** Sends a campaign that has not started, or cancels one. */
export function CampaignButton({ intent, page, isHeld }: CampaignButtonProps) {
  const { variant, label, step } = BUTTONS[intent];
  return isHeld ? (
    <IntentButton intent={intent} variant={variant}>
      {label}
    </IntentButton>
  ) : (
    <ButtonLink to={`${page}?step=${step}`} variant={variant}>
      {label}
    </ButtonLink>
  );
}
