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
import { useBrand } from "~/components/use-brand";
import { landingScenes } from "~/content/landing-scenes";
import { cn } from "~/lib/utils";
import { Avatar, Box, Message, TaskNumber, type Person } from "./scene-parts";
import { Waveform } from "./waveform";

type OneToThree = 1 | 2 | 3;
type LineProps = {
  who: Person;
  at: string;
  before?: string;
  said?: string;
  task?: OneToThree;
  after?: string;
  narrow?: boolean;
};
type TaskProps = { number: OneToThree; title: string; who: Person; due: string; done?: boolean };

const { suite: copy } = landingScenes;

/** The hero's illustration: a meeting's transcript and its tasks, drawn in HTML, so that it can be read. */
export function SuiteScene() {
  const { name } = useBrand();
  return (
    <figure className="mt-12 lg:mt-16">
      <div
        role="img"
        aria-label={copy.label(name)}
        className="group/scene overflow-hidden rounded-lg border bg-card text-sm shadow-float"
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-5 py-3.5">
          <span className="font-semibold">{copy.meeting}</span>
          <span className="text-muted-foreground">{copy.when}</span>
          <span className="ml-auto hidden -space-x-1.5 sm:flex">
            {(["Ines", "Jonas", "Priya", "Tom"] as const).map((who) => (
              <Avatar key={who} who={who} className="ring-2 ring-card" />
            ))}
          </span>
        </div>
        <div className="grid sm:grid-cols-2 lg:grid-cols-[10fr_11fr_9fr]">
          <Panel icon={AudioLines} title={copy.transcriptTitle}>
            <Waveform />
            <div className="mt-6 flex flex-col gap-5">
              {copy.transcript.map((line) => (
                <TranscriptLine key={line.at} {...line} />
              ))}
            </div>
          </Panel>
          <div className="flex flex-col border-t bg-background sm:border-t-0 sm:border-l">
            <Panel icon={TextQuote} title={copy.summaryTitle} className="flex-none">
              <p className="font-display text-lg leading-7 sm:text-xl sm:leading-8">{copy.summary}</p>
            </Panel>
            <Panel
              icon={ListChecks}
              title={copy.tasksTitle}
              aside={copy.tasksAside}
              className="flex-none border-t"
            >
              <div className="-mx-2 flex flex-col gap-1">
                {copy.tasks.map((task) => (
                  <Task key={task.number} {...task} />
                ))}
              </div>
            </Panel>
            <Panel icon={CircleHelp} title={copy.openTitle} className="hidden flex-1 border-t sm:block">
              <p>{copy.open}</p>
            </Panel>
          </div>
          <Panel
            icon={MessagesSquare}
            title={copy.threadTitle}
            aside={copy.thread}
            className="flex flex-1 flex-col border-t sm:col-span-2 lg:col-span-1 lg:border-t-0 lg:border-l"
          >
            <div className="flex h-full flex-col gap-5">
              <Message who={copy.checked.who} at={copy.checked.at}>
                {copy.checked.text}
                <span className="mt-2.5 flex items-center gap-2 rounded-md border px-3 py-2">
                  <Box done />
                  <span className="truncate text-muted-foreground">{copy.checked.task}</span>
                </span>
              </Message>
              {copy.messages.map(({ who, at, text, narrow }) => (
                <Message key={at} who={who} at={at} className={narrow ? "max-sm:hidden" : undefined}>
                  {text}
                </Message>
              ))}
              <div className="mt-auto flex items-center gap-2 rounded-md border px-3 py-2.5 text-muted-foreground">
                {copy.write}
                <SendHorizontal aria-hidden className="ml-auto size-4" />
              </div>
            </div>
          </Panel>
        </div>
      </div>
      <figcaption className="mt-4 max-w-[42.9em] text-sm text-balance text-muted-foreground">
        {copy.caption}
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

function TranscriptLine({ who, at, before, said, task, after, narrow }: LineProps) {
  return (
    <div className={narrow ? "hidden sm:block" : undefined}>
      <Message who={who} at={at}>
        {before}
        {said && task ? (
          <span
            className={cn(
              "-mx-0.5 rounded-sm bg-primary-surface box-decoration-clone px-0.5 py-0.5 transition-colors",
              lit[task],
            )}
          >
            {said}
          </span>
        ) : null}
        {after}
        {task ? (
          <>
            {"\u00a0"}
            <TaskNumber number={task} className="relative -top-px ml-1 align-middle" />
          </>
        ) : null}
      </Message>
    </div>
  );
}

function Task({ number, title, who, due, done }: TaskProps) {
  return (
    <div
      data-task={number}
      className="flex items-start gap-3 rounded-md px-2 py-2 transition-colors hover:bg-muted"
    >
      <Box done={done} className="mt-px" />
      <div className="min-w-0 flex-1">
        <div className="flex gap-3">
          <span className={cn("min-w-0 flex-1 font-medium", done && "text-muted-foreground line-through")}>
            {title}
          </span>
          <TaskNumber number={number} className="mt-px" />
        </div>
        <div className="mt-1.5 flex items-center gap-2 text-xs text-muted-foreground">
          <Avatar who={who} size="size-5" />
          {who}
          <span className="ml-auto tabular-nums">{done ? copy.done : due}</span>
        </div>
      </div>
    </div>
  );
}
