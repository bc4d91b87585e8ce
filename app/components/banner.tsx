import { CircleAlert, CircleCheck, Info } from "~/components/icons";
import { forwardRef, type ReactNode } from "react";
import { cn } from "~/lib/class-names";

type BannerProps = {
  /** error: announced at once. info: neither error nor success, such as a cancelled campaign. */
  kind: "error" | "success" | "info";
  children: ReactNode;
  className?: string;
};

const LOOKS = {
  error: { Icon: CircleAlert, surface: "border-danger/40 bg-danger-surface", colour: "text-danger" },
  success: { Icon: CircleCheck, surface: "border-success/40 bg-success-surface", colour: "text-success" },
  info: { Icon: Info, surface: "border-border bg-muted", colour: "text-muted-foreground" },
} as const;

/** The result of a form, in the product's only way (specification, section 8). Focusable by script, not by Tab. */
export const Banner = forwardRef<HTMLDivElement, BannerProps>(function Banner(
  { kind, children, className },
  ref,
) {
  const { Icon, surface, colour } = LOOKS[kind];
  return (
    <div
      ref={ref}
      role={kind === "error" ? "alert" : "status"}
      tabIndex={-1}
      className={cn(
        "flex items-start gap-2.5 rounded-md border px-3.5 py-2.5 text-sm text-foreground",
        surface,
        className,
      )}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", colour)} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
});
