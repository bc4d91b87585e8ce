import { LockKeyhole } from "lucide-react";
import { LogoMark } from "~/components/logo";
import { landingScenes } from "~/content/landing-scenes";
import { cn } from "~/lib/utils";

const { tenants: copy } = landingScenes;

/** A floor plan: three rooms between solid walls, a dot for each person, a corridor with locked doors. */
export function TenantsScene() {
  return (
    <div
      role="img"
      aria-label={copy.label}
      className="flex flex-col overflow-hidden rounded-lg border-2 border-foreground/75 bg-card"
    >
      <div className="grid flex-1 divide-y-2 divide-foreground/75 sm:grid-cols-[5fr_4fr_4fr] sm:divide-x-2 sm:divide-y-0">
        {copy.companies.map(({ company, domain, people, kept }, room) => (
          <div key={company} className="relative flex min-w-0 flex-col p-4 sm:pb-7">
            <div className="truncate font-semibold">{company}</div>
            <div className="truncate font-mono text-2xs text-muted-foreground">{domain}</div>
            <div className="mt-4 mb-4 flex max-w-40 flex-wrap gap-1.5">
              {Array.from({ length: people }, (_, person) => (
                <span key={person} className={cn("size-2 rounded-full", DOTS[room])} />
              ))}
            </div>
            <div className="mt-auto text-xs text-muted-foreground">
              <span className="block tabular-nums">{copy.people(people)}</span>
              {kept}
            </div>
            <span className="absolute top-4 right-4 flex size-7 items-center justify-center rounded-full border-2 border-foreground/75 bg-card sm:top-auto sm:right-auto sm:-bottom-3.5 sm:left-1/2 sm:-translate-x-1/2">
              <LockKeyhole aria-hidden className="size-3" />
            </span>
          </div>
        ))}
      </div>
      <div className="flex items-center gap-2.5 border-t-2 border-foreground/75 bg-muted px-4 pt-5 pb-4 text-xs text-muted-foreground sm:px-5">
        <LogoMark className="size-4 text-foreground" />
        {copy.corridor}
      </div>
    </div>
  );
}

const DOTS = ["bg-primary", "bg-success", "bg-warning"];
