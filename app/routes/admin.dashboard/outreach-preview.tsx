import { operatorMessages } from "~/content/operator-messages";
import type { OutreachView } from "./outreach-view.server";

const copy = operatorMessages.outreach;

export type AudiencePreview = NonNullable<OutreachView["preview"]>;

/** Previews the audience: the number of recipients and the first five (specification, section 9). */
export function OutreachPreview({ group, preview }: { group: string; preview: AudiencePreview }) {
  const more = preview.mailable - preview.firstFive.length;
  const skipped = preview.total - preview.mailable;
  return (
    <section aria-label={copy.previewRecipients} className="rounded-md border bg-muted px-4 py-3">
      <p className="font-medium">
        {copy.total(preview.mailable)} <span className="font-normal text-muted-foreground">· {group}</span>
      </p>
      <ul className="mt-2 flex flex-col gap-1 font-mono text-xs">
        {preview.firstFive.map((address) => (
          <li key={address} className="break-all">
            {address}
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-2 text-muted-foreground">{copy.more(more)}</p> : null}
      {skipped > 0 ? <p className="mt-2 text-muted-foreground">{copy.skippedNow(skipped)}</p> : null}
    </section>
  );
}
