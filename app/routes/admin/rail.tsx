import type { Appearance } from "~/http/appearance-cookie.server";
import { cn } from "~/lib/class-names";
import { RailToggle, ThemeChoice } from "./appearance-controls";
import { LogoutButton, Navigation, type Entry } from "./navigation";
import { PersonLine, type Person } from "./person-line";

type RailProps = { person: Person; entries: readonly Entry[]; appearance: Appearance };

/** The main navigation: at the side, or on small screens below the top bar while its Menu is open. */
export function Rail({ person, entries, appearance }: RailProps) {
  return (
    <div
      className={cn(
        "z-20 hidden flex-col max-md:group-has-[[data-menu][open]]/frame:flex",
        "max-md:fixed max-md:inset-x-0 max-md:top-12 max-md:max-h-[calc(100dvh-3rem)] max-md:gap-3 max-md:overflow-y-auto",
        "max-md:border-b max-md:bg-surface max-md:p-3 max-md:shadow-float",
        "md:sticky md:top-12 md:flex md:h-[calc(100dvh-4.75rem)] md:w-16 md:shrink-0 md:border-r md:px-3 md:py-4",
        "lg:w-58 narrow:w-16",
      )}
    >
      <PersonLine person={person} className="px-3 pt-1 md:hidden" />
      <Navigation entries={entries} />
      <div className="flex items-center justify-between gap-3 max-md:border-t max-md:pt-3 md:mt-auto md:flex-col md:items-stretch md:gap-0.5">
        <RailToggle rail={appearance.rail} />
        <LogoutButton />
        <ThemeChoice theme={appearance.theme} className="md:hidden" />
      </div>
    </div>
  );
}
