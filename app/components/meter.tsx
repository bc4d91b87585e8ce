interface MeterProps {
  /** progressbar: how far a task has come. meter: how much of something is used. */
  kind: "progressbar" | "meter";
  label: string;
  value: number;
  /** The maximum; 0 while it is unknown. */
  max: number;
  /** The colour. The number must be shown too: a colour alone conveys nothing. */
  tone?: "primary" | "info" | "success" | "caution" | "danger";
}

const FILLS = {
  primary: "fill-primary",
  info: "fill-info",
  success: "fill-success",
  caution: "fill-caution",
  danger: "fill-danger",
};

/** A bar. Drawn as SVG, because a width in a style attribute would violate the content security policy. */
export function Meter({ kind, label, value, max, tone = "primary" }: MeterProps) {
  const percent = max > 0 ? Math.min(100, (100 * value) / max) : 0;
  return (
    <svg
      role={kind}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      viewBox="0 0 100 2"
      preserveAspectRatio="none"
      className="h-1.5 w-full rounded-full"
    >
      <rect width="100" height="2" className="fill-muted" />
      <rect width={percent} height="2" className={FILLS[tone]} />
    </svg>
  );
}
