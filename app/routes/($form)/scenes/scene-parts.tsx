import type { ReactNode } from "react";
import { Check } from "lucide-react";
import { cn } from "~/lib/utils";

/** The people in the illustrations, each with the same tint in every scene. */
const people = {
  Ines: "bg-warning-surface text-warning",
  Jonas: "bg-info-surface text-info",
  Priya: "bg-success-surface text-success",
  Tom: "bg-destructive-surface text-destructive",
} as const;

export type Person = keyof typeof people;

type AvatarProps = { who: Person; size?: string; className?: string };

export function Avatar({ who, size = "size-6", className }: AvatarProps) {
  return (
    <span
      className={cn(
        "inline-flex shrink-0 items-center justify-center rounded-full text-2xs font-semibold",
        size,
        people[who],
        className,
      )}
    >
      {who[0]}
    </span>
  );
}

/** The number that stands at a sentence of a message and at the task made from it. */
export function TaskNumber({ number, className }: { number: number; className?: string }) {
  return (
    <span
      className={cn(
        "inline-flex size-4.5 shrink-0 items-center justify-center rounded-full bg-primary text-2xs font-semibold text-primary-foreground tabular-nums",
        className,
      )}
    >
      {number}
    </span>
  );
}

/** An illustrated checkbox. */
export function Box({ done = false, className }: { done?: boolean; className?: string }) {
  return (
    <span
      className={cn(
        "inline-flex size-4.5 shrink-0 items-center justify-center rounded-sm border",
        done ? "border-success bg-success text-success-foreground" : "border-input bg-card",
        className,
      )}
    >
      {done ? <Check aria-hidden className="size-3.5 stroke-3" /> : null}
    </span>
  );
}

type MessageProps = { who: Person; at: string; className?: string; children: ReactNode };

export function Message({ who, at, className, children }: MessageProps) {
  return (
    <div className={cn("flex gap-3", className)}>
      <Avatar who={who} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <span className="font-semibold">{who}</span>
          <span className="text-2xs text-muted-foreground tabular-nums">{at}</span>
        </div>
        <div className="mt-0.5">{children}</div>
      </div>
    </div>
  );
}
