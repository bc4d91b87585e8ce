import { useLocation, useNavigation } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import { useEffect, useState } from "react";
import { paths } from "~/paths";

/** Shows nothing for faster pages, so that the overlay does not flash. */
const SHOW_AFTER_MS = 200;

/** The full-screen spinner (specification, section 2) while the browser goes from a public page to a guarded one. */
export function NavigationOverlay() {
  const currentPath = useLocation().pathname;
  const next = useNavigation().location?.pathname ?? "";
  // Rendered at once, and empty at first: content added to an existing live region is announced.
  return !isGuarded(currentPath) && isGuarded(next) ? (
    <div role="status">
      <DelayedSpinner />
    </div>
  ) : null;
}

function DelayedSpinner() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className="fixed inset-0 z-50 flex animate-fade flex-col items-center justify-center gap-4 bg-background">
      <LoaderCircle aria-hidden className="size-8 animate-spin text-primary" />
      <p className="text-sm text-muted-foreground">Opening the back office</p>
    </div>
  );
}

export function isGuarded(pathname: string): boolean {
  return pathname === paths.admin || pathname.startsWith(`${paths.admin}/`);
}
