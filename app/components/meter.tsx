interface MeterProps {
  /** How far something has come, or how much of something there is. */
  kind: "progressbar" | "meter";
  /** What is measured, for those who hear the page. */
  label: string;
  value: number;
  /** The whole; 0 while it is not known. */
  max: number;
  /** Beside the number it stands for: a colour alone says nothing. */
  tone?: "primary" | "info" | "success" | "warning" | "danger";
}

const FILLS = {
  primary: "fill-primary",
  info: "fill-info",
  success: "fill-success",
  warning: "fill-warning",
  danger: "fill-danger",
};

/** A bar. An SVG, because a width in a style attribute would break the page's policy. */
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
