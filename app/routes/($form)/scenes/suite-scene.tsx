import type { ReactNode } from "react";
import {
  AudioLines,
  CircleHelp,
  ListChecks,
  MessagesSquare,
  SendHorizontal,
  TextQuote,
  type LucideIcon,
} from "lucide-react";
import { brand } from "~/content/brand";
import { cn } from "~/lib/utils";
import { Avatar, Box, Message, Tie, type Person } from "./scene-parts";
import { Waveform } from "./waveform";

type Line = {
  who: Person;
  at: string;
  before?: string;
  said?: string;
  tie?: 1 | 2 | 3;
  after?: string;
  narrow?: boolean;
};

/** The transcript. `said` became the task with the same number; phones leave `narrow` lines out. */
const transcript: Line[] = [
  {
    who: "Ines",
    at: "00:41",
    before: "The clinic in Graz starts on the third. Who looks at their data before that?",
  },
  { who: "Jonas", at: "01:07", before: "Me. ", said: "I’ll have the import checked by Thursday.", tie: 1 },
  {
    who: "Priya",
    at: "14:32",
    before: "Two clinics asked about calendar sync. I would ship it without recurring events first.",
    narrow: true,
  },
  { who: "Ines", at: "14:52", before: "Agreed. Priya, ", said: "could you write to both of them?", tie: 2 },
  {
    who: "Tom",
    at: "25:05",
    said: "And I’ll book the room for the training",
    tie: 3,
    after: ", on the second.",
  },
];

const tasks: { tie: 1 | 2 | 3; title: string; who: Person; due: string; done?: boolean }[] = [
  { tie: 1, title: "Check the Graz data import", who: "Jonas", due: "Thu 16 Oct", done: true },
  { tie: 2, title: "Write to both clinics about calendar sync", who: "Priya", due: "Fri 17 Oct" },
  { tie: 3, title: "Book the training room for 2 November", who: "Tom", due: "Mon 20 Oct" },
];

/** The hero's illustration: a meeting's transcript and its tasks, drawn in HTML, so that it can be read. */
export function SuiteScene() {
  return (
    <figure className="mt-12 lg:mt-16">
      <div
        role="img"
        aria-label={`A planning meeting in ${brand.name}: the transcript, the summary written from it, three tasks with an owner and a date, and the team’s thread.`}
        className="group/scene overflow-hidden rounded-lg border bg-card text-sm shadow-float"
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-5 py-3.5">
          <span className="font-semibold">Weekly planning</span>
          <span className="text-muted-foreground">Tue 14 Oct, 32 min</span>
          <span className="ml-auto hidden -space-x-1.5 sm:flex">
            {(["Ines", "Jonas", "Priya", "Tom"] as const).map((who) => (
              <Avatar key={who} who={who} className="ring-surface ring-2" />
            ))}
          </span>
        </div>
        <div className="grid sm:grid-cols-2 lg:grid-cols-[10fr_11fr_9fr]">
          <Panel icon={AudioLines} title="Transcript">
            <Waveform />
            <div className="mt-6 flex flex-col gap-5">
              {transcript.map((line) => (
                <TranscriptLine key={line.at} {...line} />
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
            <Panel icon={CircleHelp} title="Still open" className="hidden flex-1 border-t sm:block">
              <p>Does Linz open in the same week? Ines asks them on Monday.</p>
            </Panel>
          </div>
          <Panel
            icon={MessagesSquare}
            title="Thread"
            aside="Graz"
            className="flex flex-1 flex-col border-t sm:col-span-2 lg:col-span-1 lg:border-t-0 lg:border-l"
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
              <Message who="Ines" at="Thu 09:26" className="max-sm:hidden">
                Then the third stands.
              </Message>
              <Message who="Tom" at="Thu 09:31" className="max-sm:hidden">
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
      <figcaption className="mt-4 max-w-[42.9em] text-sm text-balance text-muted-foreground">
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

function Panel({ icon: Icon, title, aside, className = "flex-1", children }: PanelProps) {
  return (
    <div className={cn("p-5 lg:p-7", className)}>
      <div className="mb-4 flex items-center gap-2 text-xs text-muted-foreground">
        <Icon aria-hidden className="size-4" />
        <span className="font-medium">{title}</span>
        {aside ? <span className="ml-auto">{aside}</span> : null}
      </div>
      <div className="flex-1">{children}</div>
    </div>
  );
}

/** Highlights the sentence of the task under the pointer. Written out, so that Tailwind finds the classes. */
const lit = {
  1: "group-has-[[data-task='1']:hover]/scene:bg-primary group-has-[[data-task='1']:hover]/scene:text-primary-foreground",
  2: "group-has-[[data-task='2']:hover]/scene:bg-primary group-has-[[data-task='2']:hover]/scene:text-primary-foreground",
  3: "group-has-[[data-task='3']:hover]/scene:bg-primary group-has-[[data-task='3']:hover]/scene:text-primary-foreground",
};

function TranscriptLine({ who, at, before, said, tie, after, narrow }: Line) {
  return (
    <div className={narrow ? "hidden sm:block" : undefined}>
      <Message who={who} at={at}>
        {before}
        {said && tie ? (
          <span
            className={cn(
              "-mx-0.5 rounded-sm bg-primary-surface box-decoration-clone px-0.5 py-0.5 transition-colors",
              lit[tie],
            )}
          >
            {said}
          </span>
        ) : null}
        {after}
        {tie ? (
          <>
            {"\u00a0"}
            <Tie number={tie} className="relative -top-px ml-1 align-middle" />
          </>
        ) : null}
      </Message>
    </div>
  );
}

function Task({ tie, title, who, due, done }: (typeof tasks)[number]) {
  return (
    <div
      data-task={tie}
      className="flex items-start gap-3 rounded-md px-2 py-2 transition-colors hover:bg-muted"
    >
      <Box done={done} className="mt-px" />
      <div className="min-w-0 flex-1">
        <div className="flex gap-3">
          <span className={cn("min-w-0 flex-1 font-medium", done && "text-muted-foreground line-through")}>
            {title}
          </span>
          <Tie number={tie} className="mt-px" />
        </div>
        <div className="mt-1.5 flex items-center gap-2 text-xs text-muted-foreground">
          <Avatar who={who} size="size-5" />
          {who}
          <span className="ml-auto tabular-nums">{done ? "Done" : due}</span>
        </div>
      </div>
    </div>
  );
}
