import { useState } from "react";
import { Banner } from "~/components/banner";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink, IntentButton } from "~/components/ui/button";
import { outreachMessages as copy } from "~/content/outreach";
import { linkTo } from "~/http/list-state";
import { paths } from "~/paths";
import type { SavedDraft } from "~/services/outreach/drafts.server";

/**
 * Carries the hash of the text the form was opened with. It is kept when the page reloads its data, because
 * the typed text is kept too.
 */
export function DraftBase({ contentHash }: { contentHash: string }) {
  const [base] = useState(contentHash);
  return <input type="hidden" name="base" value={base} />;
}

/** Shows a colleague's version, saved while this form was open, above the operator's own, and asks which to keep. */
export function DraftConflict({ saved, now }: { saved: SavedDraft; now: number }) {
  return (
    <Banner kind="error">
      <p className="font-medium">{copy.conflict}</p>
      <p>
        <bdi>{copy.conflictSaved(saved.by)}</bdi>, <Timestamp at={saved.at} now={now} />
      </p>
      <section
        aria-label={copy.conflictTitle}
        className="my-3 max-h-60 overflow-y-auto border-l-2 pl-3 wrap-anywhere"
      >
        <p className="text-xs text-muted-foreground">{saved.audience}</p>
        <p className="font-medium text-foreground">{saved.title}</p>
        <p className="whitespace-pre-line text-foreground">{saved.message || copy.conflictNoText}</p>
      </section>
      <input type="hidden" name="theirs" value={saved.contentHash} />
      <div className="flex flex-wrap gap-2">
        <IntentButton intent="save-mine">{copy.keepMine}</IntentButton>
        <ButtonLink
          to={linkTo(paths.outreach, { draft: saved.id })}
          // Reloads the document, so that the form is filled from the saved text.
          reloadDocument
          variant="quiet"
        >
          {copy.takeTheirs}
        </ButtonLink>
      </div>
    </Banner>
  );
}
