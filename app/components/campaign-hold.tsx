import { Clock } from "~/components/icons";
import { Banner } from "~/components/banner";
import { ButtonLink, IntentButton } from "~/components/ui/button";
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

type CampaignButtonProps = {
  /** The confirmation step's address. Left out in the hold window: nothing was sent and time is short. */
  confirmAt: string | undefined;
};

/** Sends a campaign that has not started. Stands in a form that posts to the campaign's page. */
export function SendNowButton({ confirmAt }: CampaignButtonProps) {
  const { beginNow } = campaignStartMessages;
  return <CampaignButton intent="begin" variant="secondary" label={beginNow} confirmAt={confirmAt} />;
}

export function CancelCampaign({ confirmAt }: CampaignButtonProps) {
  const { cancel } = campaignStatusMessages;
  return <CampaignButton intent="cancel" variant="danger" label={cancel} confirmAt={confirmAt} />;
}

interface ButtonLook {
  intent: string;
  variant: "secondary" | "danger";
  label: string;
}

function CampaignButton({ intent, variant, label, confirmAt }: ButtonLook & CampaignButtonProps) {
  if (confirmAt === undefined) {
    return (
      <IntentButton intent={intent} variant={variant}>
        {label}
      </IntentButton>
    );
  }
  return (
    <ButtonLink to={confirmAt} variant={variant}>
      {label}
    </ButtonLink>
  );
}
