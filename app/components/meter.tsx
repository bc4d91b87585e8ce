interface MeterProps {
  /** What is measured, for those who hear the page. */
  label: string;
  value: number;
  /** The whole; 0 while it is not known. */
  max: number;
}

/** How far something has come, as a bar. An SVG, because a width in a style attribute would break the page's policy. */
export function Meter({ label, value, max }: MeterProps) {
  const percent = max > 0 ? Math.min(100, (100 * value) / max) : 0;
  return (
    <svg
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      viewBox="0 0 100 2"
      preserveAspectRatio="none"
      className="h-1.5 w-full max-w-sm rounded-full"
    >
      <rect width="100" height="2" className="fill-muted" />
      <rect width={percent} height="2" className="fill-primary" />
    </svg>
  );
}
