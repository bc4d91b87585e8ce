import { useNavigation } from "@remix-run/react";

/** A thin bar at the top while a page is fetched; after 200 ms, so that it does not flash. */
export function LoadingBar() {
  if (useNavigation().state === "idle") return null;
  return (
    <div role="progressbar" aria-label="Loading" className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
      <div className="h-full w-1/3 animate-load bg-primary motion-reduce:w-full" />
    </div>
  );
}
