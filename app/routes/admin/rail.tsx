import type { Appearance } from "~/http/appearance-cookie.server";
import { RailToggle, ThemeChoice } from "./appearance-controls";
import { LogoutButton, Navigation, type Entry } from "./navigation";
import { PersonLine, type Person } from "./person-line";

type RailProps = { person: Person; entries: readonly Entry[]; appearance: Appearance };

/** The main navigation: at the side, or on small screens below the top bar while its Menu is open. */
export function Rail({ person, entries, appearance }: RailProps) {
  return (
    <div className="rail">
      <PersonLine person={person} className="flex px-3 pt-1 md:hidden" />
      <Navigation entries={entries} />
      <div className="flex items-center justify-between gap-3 max-md:border-t max-md:pt-3 md:mt-auto md:flex-col md:items-stretch md:gap-0.5">
        <RailToggle rail={appearance.rail} />
        <LogoutButton />
        <ThemeChoice theme={appearance.theme} className="md:hidden" />
      </div>
    </div>
  );
}
