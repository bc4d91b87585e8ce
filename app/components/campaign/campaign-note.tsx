import { Banner } from "~/components/banner";
import { Clock } from "lucide-react";
import { Alert, AlertDescription } from "~/components/ui/alert";
import { UnbrokenTimes } from "~/components/unbroken-times";

type CampaignNoteProps = {
  sentence: string;
  /** The mail server's reply, or the error of reaching it; undefined where something else is waited for. */
  words?: string | undefined;
};

/** Says something about a campaign, such as why it waits: as an error when its emails cannot be sent. */
export function CampaignNote({ sentence, words }: CampaignNoteProps) {
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
