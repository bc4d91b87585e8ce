import type { ReactNode } from "react";
import { ButtonLink } from "~/components/button-link";
import { cn } from "~/lib/utils";
import { paths } from "~/paths";
import { measure, SectionHeading } from "./section";
import { ChatScene } from "./scenes/chat-scene";
import { InsightsScene } from "./scenes/insights-scene";
import { TasksScene } from "./scenes/tasks-scene";
import { TenantsScene } from "./scenes/tenants-scene";
import { useTexts } from "./use-texts";

/** Two wide and two narrow cells on one grid; the features with more to show get the wide ones. */
export function Features() {
  const { features } = useTexts();
  return (
    <section id="features" aria-labelledby="features-heading" className="border-t bg-recess">
      <div className={`${measure} py-20 lg:py-28`}>
        <div className="flex flex-col gap-6 lg:flex-row lg:items-end lg:justify-between">
          <div>
            <SectionHeading id="features-heading" className="max-w-[8.3em]">
              {features.headline}
            </SectionHeading>
            <p className="mt-5 max-w-[37.8em] text-muted-foreground">{features.text}</p>
          </div>
          <ButtonLink
            to={paths.earlyAccess}
            preventScrollReset
            variant="default"
            size="lg"
            className="self-start lg:self-auto"
          >
            {features.earlyAccess}
          </ButtonLink>
        </div>
        <div className="mt-12 grid gap-px overflow-hidden rounded-lg border bg-border sm:grid-cols-2 lg:mt-16 lg:grid-cols-12">
          <Feature {...features.insights} className="sm:col-span-2 lg:col-span-7">
            <InsightsScene />
          </Feature>
          <Feature {...features.tasks} className="lg:col-span-5">
            <TasksScene />
          </Feature>
          <Feature {...features.chat} className="lg:col-span-5">
            <ChatScene />
          </Feature>
          <Feature {...features.tenants} className="sm:col-span-2 lg:col-span-7">
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
