import { AudioLines } from "lucide-react";
import { landingScenes } from "~/content/landing-scenes";
import { Box, Message } from "./scene-parts";

const { chat: copy } = landingScenes;

export function ChatScene() {
  return (
    <div role="img" aria-label={copy.label} className="rounded-lg border bg-card">
      <div className="border-b px-4 py-3.5 font-medium sm:px-5">{copy.thread}</div>
      <div className="flex flex-col gap-5 px-3.5 py-5 sm:px-5">
        <Message who="Priya" at={copy.askedAt}>
          {copy.question}
          <span className="mt-2 flex items-center gap-2 rounded-md bg-muted px-2.5 py-2 text-xs">
            <AudioLines aria-hidden className="size-4 shrink-0 text-primary" />
            <span className="min-w-0 truncate">{copy.meeting}</span>
            <span className="ml-auto text-muted-foreground tabular-nums">{copy.minute}</span>
          </span>
        </Message>
        <Message who="Tom" at={copy.answeredAt}>
          {copy.answer}
          <span className="mt-2 flex items-center gap-2 rounded-md bg-muted px-2.5 py-2 text-xs">
            <Box />
            <span className="min-w-0 truncate">{copy.task}</span>
            <span className="ml-auto whitespace-nowrap text-muted-foreground">{copy.due}</span>
          </span>
        </Message>
      </div>
    </div>
  );
}
