import { Link } from "@remix-run/react";
import { Clock } from "~/components/icons";
import { Banner } from "~/components/banner";
import { IntentButton, buttonVariants } from "~/components/ui/button";
import { operatorMessages } from "~/content/operator-messages";

type CampaignHoldProps = {
  sentence: string;
  /** What the mail server said; then something is to be mended. */
  words?: string | undefined;
};

/** Why a campaign does not move, and when it will. */
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

/** Text of which no time is broken at its hyphens. */
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

type BeginNowProps = {
  /** Where it is asked first. Left out in the hold window: it was confirmed a moment ago. */
  askAt?: string | undefined;
};

/** In a form that goes to the campaign's page: for one that has not begun. */
export function BeginNow({ askAt }: BeginNowProps) {
  if (askAt) {
    return (
      <Link to={askAt} className={buttonVariants({ variant: "secondary", size: "dense" })}>
        {operatorMessages.outreachPace.beginNow}
      </Link>
    );
  }
  return <IntentButton intent="begin">{operatorMessages.outreachPace.beginNow}</IntentButton>;
}

type CancelCampaignProps = {
  /** Where it is asked first. Left out in the hold window: nothing was sent and the time is short. */
  askAt?: string | undefined;
};

export function CancelCampaign({ askAt }: CancelCampaignProps) {
  const { cancel } = operatorMessages.campaignStatus;
  if (askAt) {
    return (
      <Link to={askAt} className={buttonVariants({ variant: "danger", size: "dense" })}>
        {cancel}
      </Link>
    );
  }
  return (
    <IntentButton intent="cancel" variant="danger">
      {cancel}
    </IntentButton>
  );
}
