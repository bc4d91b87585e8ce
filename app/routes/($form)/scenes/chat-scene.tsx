import { AudioLines } from "lucide-react";
import { Box, Message } from "./scene-parts";

export function ChatScene() {
  return (
    <div
      role="img"
      aria-label="A thread about Graz: Priya quotes a minute of the meeting, Tom turns his answer into a task."
      className="rounded-lg border bg-card"
    >
      <div className="border-b px-4 py-3.5 font-medium sm:px-5">Graz</div>
      <div className="flex flex-col gap-5 px-3.5 py-5 sm:px-5">
        <Message who="Priya" at="10:02">
          How many people come to the training?
          <span className="mt-2 flex items-center gap-2 rounded-md bg-muted px-2.5 py-2 text-xs">
            <AudioLines aria-hidden className="size-4 shrink-0 text-primary" />
            <span className="min-w-0 truncate">Weekly planning</span>
            <span className="ml-auto text-muted-foreground tabular-nums">25:05</span>
          </span>
        </Message>
        <Message who="Tom" at="10:04">
          Fourteen. I’ll ask for the larger room.
          <span className="mt-2 flex items-center gap-2 rounded-md bg-muted px-2.5 py-2 text-xs">
            <Box />
            <span className="min-w-0 truncate">Book the room</span>
            <span className="ml-auto whitespace-nowrap text-muted-foreground">Mon 20 Oct</span>
          </span>
        </Message>
      </div>
    </div>
  );
}
