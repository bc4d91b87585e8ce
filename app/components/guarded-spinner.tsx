import { useLocation, useNavigation } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import { paths } from "~/paths";

/**
 * The full-screen spinner of the specification (section 2): over a public page while the browser goes to a guarded one.
 * Stands on the pages that lead into the back office. A page that answers at once never shows it.
 */
export function GuardedSpinner() {
  const here = useLocation().pathname;
  const next = useNavigation().location?.pathname ?? "";
  if (isGuarded(here) || !isGuarded(next)) return null;
  return (
    <div
      role="status"
      className="fixed inset-0 z-50 flex animate-fade flex-col items-center justify-center gap-4 bg-background delay-150"
    >
      <LoaderCircle aria-hidden className="size-8 animate-spin text-primary" />
      <p className="text-sm text-muted-foreground">Opening the back office</p>
    </div>
  );
}

function isGuarded(pathname: string): boolean {
  return pathname === paths.admin || pathname.startsWith(`${paths.admin}/`);
}
