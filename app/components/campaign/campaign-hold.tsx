import { Banner } from "~/components/banner";
import { Clock } from "lucide-react";
import { Alert, AlertDescription } from "~/components/ui/alert";
import { UnbrokenTimes } from "~/components/unbroken-times";

type CampaignHoldProps = {
  sentence: string;
  /** The mail server's reply, or the error of reaching it; undefined where something else is waited for. */
  words?: string | undefined;
};

/** Says why a campaign waits: as an error when its emails cannot be sent. */
export function CampaignHold({ sentence, words }: CampaignHoldProps) {
  if (words !== undefined) {
    return (
      <Banner kind="error" title={<UnbrokenTimes>{sentence}</UnbrokenTimes>}>
        {words}
      </Banner>
    );
  }
  return (
    <Alert role="status" variant="info">
      <Clock aria-hidden />
      <AlertDescription>
        <p>
          <UnbrokenTimes>{sentence}</UnbrokenTimes>
        </p>
      </AlertDescription>
    </Alert>
  );
}
