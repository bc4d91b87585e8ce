import type { ReactNode } from "react";
import { ButtonLink } from "~/components/button-link";
import { brand } from "~/content/brand";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { measure, SectionHeading } from "./frame";
import { ChatScene } from "./scenes/chat-scene";
import { InsightsScene } from "./scenes/insights-scene";
import { TasksScene } from "./scenes/tasks-scene";
import { TenantsScene } from "./scenes/tenants-scene";

/** Two wide and two narrow cells on one grid; the features with more to show get the wide ones. */
export function Features() {
  return (
    <section id="features" aria-labelledby="features-heading" className="border-t bg-recess">
      <div className={`${measure} py-20 lg:py-28`}>
        <div className="flex flex-col gap-6 lg:flex-row lg:items-end lg:justify-between">
          <div>
            <SectionHeading id="features-heading" className="max-w-[8.3em]">
              From the first word to the last task
            </SectionHeading>
            <p className="mt-5 max-w-[37.8em] text-muted-foreground">
              Four parts of {brand.name} follow the same conversation. Here they are with the meeting from
              above.
            </p>
          </div>
          <ButtonLink
            to={paths.earlyAccess}
            preventScrollReset
            variant="default"
            size="lg"
            className="self-start lg:self-auto"
          >
            Sign Up for Early Access
          </ButtonLink>
        </div>
        <div className="mt-12 grid gap-px overflow-hidden rounded-lg border bg-border sm:grid-cols-2 lg:mt-16 lg:grid-cols-12">
          <Feature
            title="AI meeting insights"
            text="Records, transcribes and summarises the meeting, and shows where each decision fell. Jump to the minute instead of listening to the hour."
            className="sm:col-span-2 lg:col-span-7"
          >
            <InsightsScene />
          </Feature>
          <Feature
            title="Smart task management"
            text="Assign, track and complete. Each task knows the sentence it came from."
            className="lg:col-span-5"
          >
            <TasksScene />
          </Feature>
          <Feature
            title="Integrated chat"
            text="A thread for every piece of work, with its meeting and its tasks in it. No links to copy, no context to repeat."
            className="lg:col-span-5"
          >
            <ChatScene />
          </Feature>
          <Feature
            title="Multi-tenant framework"
            text="Each company works in a secure environment of its own: its people, its recordings, its rules. Nothing passes the wall."
            className="sm:col-span-2 lg:col-span-7"
          >
            <TenantsScene />
          </Feature>
        </div>
      </div>
    </section>
  );
}

type FeatureProps = { title: string; text: string; className?: string; children: ReactNode };

function Feature({ title, text, className, children }: FeatureProps) {
  return (
    <article className={cn("flex min-w-0 flex-col bg-background", className)}>
      <div className="px-4 pt-8 sm:px-5 md:px-8 md:pt-10 lg:px-10">
        <h3 className="font-display text-2xl tracking-tight">{title}</h3>
        <p className="mt-2 max-w-[35.3em] text-muted-foreground">{text}</p>
      </div>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] px-4 pt-8 pb-8 text-sm sm:px-5 md:px-8 lg:px-10 lg:pb-10">
        {children}
      </div>
    </article>
  );
}
