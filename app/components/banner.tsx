import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { forwardRef, type ReactNode } from "react";
import { Alert, AlertDescription, AlertTitle } from "~/components/ui/alert";

type BannerProps = {
  /** error: announced at once. info: neither error nor success, such as a cancelled campaign. */
  kind: "error" | "success" | "info";
  /** The message of a form that was refused, which gets the focus (useRestoredFocus). */
  isRefusal?: boolean;
  title?: ReactNode;
  children?: ReactNode;
  className?: string;
};

const LOOKS = {
  error: { Icon: CircleAlert, variant: "destructive", role: "alert" },
  success: { Icon: CircleCheck, variant: "success", role: "status" },
  info: { Icon: Info, variant: "default", role: "status" },
} as const;

/**
 * A message in the page: the result of a form (specification, section 8), or a state such as why a campaign waits. Focusable by
 * script, not by Tab.
 */
export const Banner = forwardRef<HTMLDivElement, BannerProps>(function Banner(
  { kind, isRefusal, title, children, className },
  ref,
) {
  const { Icon, variant, role } = LOOKS[kind];
  return (
    <Alert
      ref={ref}
      role={role}
      variant={variant}
      data-refusal={isRefusal || undefined}
      tabIndex={-1}
      className={className}
    >
      <Icon aria-hidden />
      {title ? <AlertTitle>{title}</AlertTitle> : null}
      {children ? <AlertDescription>{children}</AlertDescription> : null}
    </Alert>
  );
});
