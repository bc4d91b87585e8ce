import { cn } from "~/lib/class-names";
import { Avatar, Box, Message, Tie, type Person } from "./scene-parts";

export type Line = {
  who: Person;
  at: string;
  before?: string;
  said?: string;
  tie?: 1 | 2 | 3;
  after?: string;
  narrow?: boolean;
};

/** What was said. `said` is the part that became the task with the same number; `narrow` lines are left out on phones. */
export const transcript: Line[] = [
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

/** What came of it. */
export const tasks: { tie: 1 | 2 | 3; title: string; who: Person; due: string; done?: boolean }[] = [
  { tie: 1, title: "Check the Graz data import", who: "Jonas", due: "Thu 16 Oct", done: true },
  { tie: 2, title: "Write to both clinics about calendar sync", who: "Priya", due: "Fri 17 Oct" },
  { tie: 3, title: "Book the training room for 2 November", who: "Tom", due: "Mon 20 Oct" },
];

/** Point at a task and the sentence it came from lights up. Written out, so that Tailwind finds the classes. */
const lit = {
  1: "group-has-[[data-task='1']:hover]/scene:bg-primary group-has-[[data-task='1']:hover]/scene:text-primary-foreground",
  2: "group-has-[[data-task='2']:hover]/scene:bg-primary group-has-[[data-task='2']:hover]/scene:text-primary-foreground",
  3: "group-has-[[data-task='3']:hover]/scene:bg-primary group-has-[[data-task='3']:hover]/scene:text-primary-foreground",
};

export function Said({ who, at, before, said, tie, after, narrow }: Line) {
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
        {tie ? "\u00a0" : null}
        {tie ? <Tie number={tie} className="relative -top-px ml-1 align-middle" /> : null}
      </Message>
    </div>
  );
}

export function Task({ tie, title, who, due, done }: (typeof tasks)[number]) {
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
          <Avatar who={who} className="size-5" />
          {who}
          <span className="ml-auto tabular-nums">{done ? "Done" : due}</span>
        </div>
      </div>
    </div>
  );
}
