import { Banner } from "~/components/banner";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Timestamp } from "~/components/timestamp";
import { DraftText, type ShownText } from "./draft-text";

interface TextConflictProps {
  /** False while autosave reports it: the banner then takes no focus. */
  isRefusal?: boolean;
  /** The version that was saved elsewhere. */
  saved: ShownText & { readonly at: number; readonly contentHash: string };
  /** The page whose form is filled from that version. If it has a fragment, its query is new: else no browser loads it. */
  page: string;
  now: number;
  copy: Readonly<Record<"title" | "savedBy" | "label" | "noText" | "keepMine" | "takeTheirs", string>>;
}

/** Shows the version that was saved while this form was open, above the form's own, and asks which to keep. */
export function TextConflict({ isRefusal = true, saved, page, now, copy }: TextConflictProps) {
  const { audience, narrowed, title, message, format, at, contentHash } = saved;
  return (
    <Banner kind="error" isRefusal={isRefusal} title={copy.title}>
      <p>
        <bdi>{copy.savedBy}</bdi>, <Timestamp at={at} now={now} />
      </p>
      <DraftText
        noText={copy.noText}
        label={copy.label}
        audience={audience}
        narrowed={narrowed}
        title={title}
        message={message}
        format={format}
        className="my-3"
      />
      <input type="hidden" name="theirs" value={contentHash} />
      <div className="flex flex-wrap gap-2">
        <IntentButton intent="save-mine">{copy.keepMine}</IntentButton>
        {/* Reloads the document, so that the form is filled from the saved text. */}
        <ButtonLink to={page} reloadDocument variant="ghost">
          {copy.takeTheirs}
        </ButtonLink>
      </div>
    </Banner>
  );
}
