import {
  AudioLines,
  CircleHelp,
  ListChecks,
  MessagesSquare,
  SendHorizontal,
  TextQuote,
  type LucideIcon,
} from "~/components/icons";
import type { ReactNode } from "react";
import { brand } from "~/content/brand";
import { cn } from "~/lib/class-names";
import { Avatar, Box, Message } from "./scene-parts";
import { Said, Task, tasks, transcript } from "./suite-rows";
import { Waveform } from "./waveform";

/** The hero's picture: what was said in a meeting, and what the suite made of it. Drawn in HTML, so that it can be read. */
export function SuiteScene() {
  return (
    <figure className="mt-12 lg:mt-16">
      <div
        role="img"
        aria-label={`A planning meeting in ${brand.name}: the transcript, the summary written from it, three tasks with an owner and a date, and the team’s thread.`}
        className="group/scene overflow-hidden rounded-lg border bg-surface text-sm shadow-float"
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-5 py-3.5">
          <span className="font-semibold">Weekly planning</span>
          <span className="text-muted-foreground">Tue 14 Oct, 32 min</span>
          <span className="ml-auto hidden -space-x-1.5 sm:flex">
            {(["Ines", "Jonas", "Priya", "Tom"] as const).map((who) => (
              <Avatar key={who} who={who} className="ring-2 ring-surface" />
            ))}
          </span>
        </div>
        <div className="grid sm:grid-cols-2 lg:grid-cols-[10fr_11fr_9fr]">
          <Panel icon={AudioLines} title="Transcript" className="">
            <Waveform />
            <div className="mt-6 flex flex-col gap-5">
              {transcript.map((line) => (
                <Said key={line.at} {...line} />
              ))}
            </div>
          </Panel>
          <div className="flex flex-col border-t bg-background sm:border-t-0 sm:border-l">
            <Panel icon={TextQuote} title="Summary" className="flex-none">
              <p className="font-display text-lg leading-7 sm:text-xl sm:leading-8">
                Graz opens on 3 November. Calendar sync ships first without recurring events.
              </p>
            </Panel>
            <Panel icon={ListChecks} title="Tasks" aside="3 from this meeting" className="flex-none border-t">
              <div className="-mx-2 flex flex-col gap-1">
                {tasks.map((task) => (
                  <Task key={task.tie} {...task} />
                ))}
              </div>
            </Panel>
            <Panel icon={CircleHelp} title="Still open" className="hidden border-t sm:block">
              <p>Does Linz open in the same week? Ines asks them on Monday.</p>
            </Panel>
          </div>
          <Panel
            icon={MessagesSquare}
            title="Thread"
            aside="Graz"
            className="flex flex-col border-t sm:col-span-2 lg:col-span-1 lg:border-t-0 lg:border-l"
          >
            <div className="flex h-full flex-col gap-5">
              <Message who="Jonas" at="Thu 09:12">
                Import checked: 1,284 records, two without a date. I left a note on both.
                <span className="mt-2.5 flex items-center gap-2 rounded-md border px-3 py-2">
                  <Box done />
                  <span className="truncate text-muted-foreground">Check the Graz data import</span>
                </span>
              </Message>
              <Message who="Priya" at="Thu 09:20">
                Thank you. I’ll mention it when I write to them this afternoon.
              </Message>
              <Message who="Ines" at="Thu 09:26" className="hidden sm:flex">
                Then the third stands.
              </Message>
              <Message who="Tom" at="Thu 09:31" className="hidden sm:flex">
                I’ve asked for the larger room, from eight. They answer on Monday.
              </Message>
              <div className="mt-auto flex items-center gap-2 rounded-md border px-3 py-2.5 text-muted-foreground">
                Write to Graz
                <SendHorizontal aria-hidden className="ml-auto size-4" />
              </div>
            </div>
          </Panel>
        </div>
      </div>
      <figcaption className="mt-4 max-w-[68ch] text-sm text-balance text-muted-foreground">
        The numbers tie each task to the sentence it came from, so nobody has to ask who promised what.
      </figcaption>
    </figure>
  );
}

type PanelProps = {
  icon: LucideIcon;
  title: string;
  aside?: string;
  className?: string;
  children: ReactNode;
};

function Panel({ icon: Icon, title, aside, className, children }: PanelProps) {
  return (
    <div className={cn("flex-1 p-5 lg:p-7", className)}>
      <div className="mb-4 flex items-center gap-2 text-xs text-muted-foreground">
        <Icon aria-hidden className="size-4" />
        <span className="font-medium">{title}</span>
        {aside ? <span className="ml-auto">{aside}</span> : null}
      </div>
      <div className="flex-1">{children}</div>
    </div>
  );
}
