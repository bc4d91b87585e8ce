import { mark } from "~/content/brand-mark";
import { cn } from "~/lib/utils";
import { useBrand } from "./use-brand";

/** Draws the mark: two arcs that face each other around a shared point. Uses the text colour and the accent. */
export function LogoMark({ className = "size-6" }: { className?: string }) {
  return (
    <svg
      viewBox={mark.viewBox}
      fill="none"
      strokeWidth={mark.strokeWidth}
      strokeLinecap="round"
      aria-hidden
      className={cn("shrink-0", className)}
    >
      <path d={mark.arc} stroke="currentColor" />
      <path d={mark.facingArc} className="stroke-primary" />
      <circle {...mark.point} className="fill-primary" />
    </svg>
  );
}

export function Logo({ className = "text-base" }: { className?: string }) {
  const { name } = useBrand();
  return (
    <span className={cn("inline-flex items-center gap-2 font-semibold tracking-tight", className)}>
      <LogoMark />
      {name}
    </span>
  );
}
