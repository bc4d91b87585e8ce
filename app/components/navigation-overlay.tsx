import { useLocation, useNavigation } from "@remix-run/react";
import { LoaderCircle } from "~/components/icons";
import { useEffect, useState } from "react";
import { paths } from "~/paths";

/** A page that answers sooner is waited for without a word, so that nothing flashes. */
const PATIENCE_MS = 200;

/**
 * The full-screen spinner of the specification (section 2): over a public page while the browser goes to a guarded one,
 * whatever led there.
 */
export function NavigationOverlay() {
  const here = useLocation().pathname;
  const next = useNavigation().location?.pathname ?? "";
  // From the start, and empty: what comes into a region that is there already is read aloud.
  return !isGuarded(here) && isGuarded(next) ? (
    <div role="status">
      <AfterAWhile />
    </div>
  ) : null;
}

function AfterAWhile() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
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

function isGuarded(pathname: string): boolean {
  return pathname === paths.admin || pathname.startsWith(`${paths.admin}/`);
}
