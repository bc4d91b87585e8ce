import { Form } from "@remix-run/react";
import { ClipboardCheck } from "lucide-react";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Progress } from "~/components/ui/progress";
import { setupMessages as copy } from "~/content/setup";
import { paths } from "~/paths";

/** The service's type, by way of the sentence: components import no services. */
type SetupProgress = Parameters<typeof copy.progress>[0];

/** Says how far the setup has come and what comes next, until it is done or a superadmin hides it. */
export function SetupCard({ progress }: { progress: SetupProgress | undefined }) {
  if (!progress?.next) return null;
  const { card } = copy;
  return (
    <section
      aria-label={copy.title}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-card px-4 py-3"
    >
      <ClipboardCheck aria-hidden className="size-5 shrink-0 text-primary max-sm:hidden" />
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1.5">
        <p className="flex flex-wrap gap-x-2 text-sm">
          <span className="font-semibold">
            {copy.title}: {copy.progress(progress)}
          </span>
          <span className="text-muted-foreground">{copy.next(progress.next)}</span>
        </p>
        <Progress
          aria-label={copy.progressLabel}
          value={progress.done}
          max={progress.total}
          className="max-w-96"
        />
      </div>
      <div className="flex gap-2">
        <Form method="post" action={paths.setup}>
          <IntentButton intent="dismiss-card" variant="ghost" size="sm" aria-label={card.dismissLabel}>
            {card.dismiss}
          </IntentButton>
        </Form>
        <ButtonLink to={paths.setup} size="sm">
          {card.open}
        </ButtonLink>
      </div>
    </section>
  );
}
