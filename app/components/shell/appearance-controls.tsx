import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Monitor, Moon, Sun } from "lucide-react";
import { ToggleGroup, ToggleGroupItem } from "~/components/ui/toggle-group";
import { Tooltip, TooltipContent, TooltipTrigger } from "~/components/ui/tooltip";
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
      <ToggleGroup aria-label="Theme" size="sm" spacing={1} className="rounded-md border bg-card p-0.5">
        {THEME_ICONS.map(([choice, Icon]) => (
          <Tooltip key={choice}>
            <ToggleGroupItem asChild aria-pressed={choice === theme}>
              <TooltipTrigger type="submit" name="theme" value={choice}>
                <Icon aria-hidden />
                <TooltipContent>{themes[choice]}</TooltipContent>
              </TooltipTrigger>
            </ToggleGroupItem>
          </Tooltip>
        ))}
      </ToggleGroup>
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

interface AppearanceFormProps {
  action?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** A form that returns to the current page. With JavaScript, what was typed there is kept. */
export function AppearanceForm({ action = paths.appearance, className, children }: AppearanceFormProps) {
  const returnTo = useReturnTo();
  return (
    <Form method="post" action={action} replace preventScrollReset className={className}>
      <input type="hidden" name="returnTo" value={returnTo} />
      {children}
    </Form>
  );
}
