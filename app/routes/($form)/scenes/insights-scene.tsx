import { landingScenes } from "~/content/landing-scenes";
import { cn } from "~/lib/utils";
import { Avatar } from "./scene-parts";
import { Waveform } from "./waveform";

const { insights: copy } = landingScenes;

/** The column widths are the topics' lengths in thirds of a minute: 34, 31 and 31 of 96. */
const MINUTES = "grid grid-cols-[34fr_31fr_31fr] gap-1";
export function InsightsScene() {
  return (
    <div role="img" aria-label={copy.label} className="rounded-lg border bg-card p-4 sm:p-6">
      <Waveform className="h-12" />
      <div className={cn(MINUTES, "mt-3")}>
        {copy.topics.map(({ topic, decided }) => (
          <span key={topic} className={cn("h-1.5 rounded-full", decided ? "bg-primary" : "bg-input/50")} />
        ))}
      </div>
      <div className={cn(MINUTES, "mt-2 text-xs")}>
        {copy.topics.map(({ topic, from }) => (
          <span key={topic} className="min-w-0">
            <span className="block truncate font-medium">{topic}</span>
            <span className="block text-muted-foreground tabular-nums">{from}</span>
          </span>
        ))}
      </div>
      <div className="mt-6 grid gap-4 border-t pt-5 sm:grid-cols-[1fr_auto] sm:items-end">
        <div>
          <div className="text-xs text-muted-foreground">
            {copy.decidedAt} <span className="tabular-nums">{copy.at}</span>
          </div>
          <p className="mt-1 max-w-[16.6em] font-display text-lg leading-7">{copy.decision}</p>
        </div>
        <div className="flex items-center gap-2 text-xs text-muted-foreground">
          <span className="flex -space-x-1.5">
            <Avatar who="Priya" className="ring-2 ring-card" />
            <Avatar who="Ines" className="ring-2 ring-card" />
          </span>
          {copy.by}
        </div>
      </div>
    </div>
  );
}
