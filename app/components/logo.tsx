import { brand } from "~/brand";
import { cn } from "~/lib/class-names";

/** The mark: two people's arcs that face each other around one shared point. Takes the text colour and the accent. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="2 2 20 20" fill="none" aria-hidden className={cn("size-6 shrink-0", className)}>
      <path
        d="M15.6 4.1A8.6 8.6 0 1 0 15.6 19.9"
        stroke="currentColor"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
      <path
        d="M19.2 8.2A8.6 8.6 0 0 1 19.2 15.8"
        className="stroke-primary"
        strokeWidth="2.8"
        strokeLinecap="round"
      />
      <circle cx="12.4" cy="12" r="2.4" className="fill-primary" />
    </svg>
  );
}

/** Mark and brand word. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2 text-base font-semibold tracking-tight", className)}>
      <LogoMark />
      {brand.name}
    </span>
  );
}
