import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Monitor, Moon, PanelLeftClose, PanelLeftOpen, Sun } from "lucide-react";
import { shellMessages } from "~/content/shell";
import type { Appearance } from "~/http/appearance-cookie.server";
import { paths } from "~/paths";

const { themes } = shellMessages;
const THEME_ICONS = [
  ["system", Monitor],
  ["light", Sun],
  ["dark", Moon],
] as const;

/** Three buttons; the selected one is pressed. */
export function ThemeChoice({ theme, className }: { theme: Appearance["theme"]; className?: string }) {
  return (
    <AppearanceForm className={className}>
      <div role="group" aria-label="Theme" className="flex rounded-md border bg-card p-0.5">
        {THEME_ICONS.map(([choice, Icon]) => (
          <button
            key={choice}
            type="submit"
            name="theme"
            value={choice}
            title={themes[choice]}
            aria-label={themes[choice]}
            aria-pressed={choice === theme}
            className="theme-button"
          >
            <Icon aria-hidden />
          </button>
        ))}
      </div>
    </AppearanceForm>
  );
}

/** Shown only where the rail has room for names: below that width it shows icons anyway. */
export function RailToggle({ rail }: { rail: Appearance["rail"] }) {
  const next = rail === "wide" ? "narrow" : "wide";
  const name = rail === "wide" ? "Collapse the menu" : "Expand the menu";
  const Icon = rail === "wide" ? PanelLeftClose : PanelLeftOpen;
  return (
    <AppearanceForm className="max-lg:hidden">
      <button type="submit" name="rail" value={next} title={name} className="rail-item">
        <Icon aria-hidden />
        <span className="narrow:sr-only">{name}</span>
      </button>
    </AppearanceForm>
  );
}

export function useReturnTo(): string {
  const { pathname, search } = useLocation();
  const kept = new URLSearchParams(search);
  // A notice is shown once.
  kept.delete("notice");
  return kept.size > 0 ? `${pathname}?${kept}` : pathname;
}

/** A form that returns to the current page. With JavaScript, what was typed there is kept. */
export function AppearanceForm({ className, children }: { className?: string; children: ReactNode }) {
  const returnTo = useReturnTo();
  return (
    <Form method="post" action={paths.appearance} replace preventScrollReset className={className}>
      <input type="hidden" name="returnTo" value={returnTo} />
      {children}
    </Form>
  );
}
