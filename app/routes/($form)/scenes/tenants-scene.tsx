import { LockKeyhole } from "lucide-react";
import { LogoMark } from "~/components/logo";
import { cn } from "~/lib/utils";

const tenants = [
  { company: "Mur Clinics", domain: "mur-clinics.example", people: 46, kept: "Recordings kept 2 years" },
  { company: "Halm & Daughters", domain: "halm.example", people: 12, kept: "Kept 90 days" },
  { company: "Studio Brandt", domain: "brandt.example", people: 7, kept: "Kept 1 year" },
];

/** A floor plan: three rooms between solid walls, a dot for each person, a corridor with locked doors. */
export function TenantsScene() {
  return (
    <div
      role="img"
      aria-label="Three companies, each in a walled room of its own with its own people and rules. Each room has one locked door, to a shared corridor."
      className="flex flex-col overflow-hidden rounded-lg border-2 border-foreground/75 bg-card"
    >
      <div className="grid flex-1 divide-y-2 divide-foreground/75 sm:grid-cols-[5fr_4fr_4fr] sm:divide-x-2 sm:divide-y-0">
        {tenants.map(({ company, domain, people, kept }, room) => (
          <div key={company} className="relative flex min-w-0 flex-col p-4 sm:pb-7">
            <div className="truncate font-semibold">{company}</div>
            <div className="truncate font-mono text-2xs text-muted-foreground">{domain}</div>
            <div className="mt-4 mb-4 flex max-w-40 flex-wrap gap-1.5">
              {Array.from({ length: people }, (_, person) => (
                <span key={person} className={cn("size-2 rounded-full", DOTS[room])} />
              ))}
            </div>
            <div className="mt-auto text-xs text-muted-foreground">
              <span className="block tabular-nums">{people} people</span>
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
        One framework, one sign-in. What is behind a door stays behind it.
      </div>
    </div>
  );
}

const DOTS = ["bg-primary", "bg-success", "bg-warning"];
