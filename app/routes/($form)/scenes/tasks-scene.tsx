import { landingScenes } from "~/content/landing-scenes";
import { cn } from "~/lib/utils";
import { Avatar, Box, TaskNumber } from "./scene-parts";

const { tasks: copy } = landingScenes;

export function TasksScene() {
  return (
    <div role="img" aria-label={copy.label} className="rounded-lg border bg-card">
      <div className="flex items-center gap-3 border-b px-4 py-3.5 sm:px-5">
        <Box done />
        <span className="min-w-0 flex-1 font-medium">{copy.task}</span>
        <TaskNumber number={1} />
        <Avatar who="Jonas" />
      </div>
      <div className="px-4 py-5 sm:px-5">
        {copy.steps.map(({ step, at, detail, done }) => (
          <div key={step} className="relative flex gap-4 pb-5 last:pb-0">
            {done ? null : <span className="absolute top-4 bottom-0 left-[5px] w-px bg-input/60" />}
            <span
              className={cn(
                "relative mt-1 size-[11px] shrink-0 rounded-full border-2",
                done ? "border-success bg-success" : "border-primary bg-card",
              )}
            />
            <div className="min-w-0 flex-1">
              <div className="flex items-baseline justify-between gap-3">
                <span className="font-semibold">{step}</span>
                <span className="text-xs text-muted-foreground tabular-nums">{at}</span>
              </div>
              <div className="mt-0.5 text-muted-foreground">{detail}</div>
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
