import { useLocation } from "@remix-run/react";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { campaignStartMessages } from "~/content/campaign-start";
import { linkTo } from "~/http/list-state";
import { campaignStatusMessages } from "~/content/outreach";

const BUTTONS = {
  edit: { variant: "outline", label: campaignStartMessages.edit },
  begin: { variant: "outline", label: campaignStartMessages.beginNow },
  cancel: { variant: "destructive", label: campaignStatusMessages.cancel },
} as const;

interface CampaignButtonProps {
  intent: keyof typeof BUTTONS;
  /** The campaign's page, to which the form around the button posts. */
  page: string;
  /** In the hold window there is no confirmation step: nothing was sent and time is short. */
  isHeld: boolean;
}

/** Edits a campaign that has not started or sends it, or cancels one. */
export function CampaignButton({ intent, page, isHeld }: CampaignButtonProps) {
  const { variant, label } = BUTTONS[intent];
  const { pathname } = useLocation();
  const isOwnPage = page.split("?")[0] === pathname;
  return isHeld ? (
    <IntentButton intent={intent} variant={variant}>
      {label}
    </IntentButton>
  ) : (
    <ButtonLink to={linkTo(page, { step: intent })} preventScrollReset={isOwnPage} variant={variant}>
      {label}
    </ButtonLink>
  );
}
