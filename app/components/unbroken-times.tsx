const EXACT_TIME = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2})/;

/** Renders a text whose times do not break at their hyphens. */
export function UnbrokenTimes({ children }: { children: string }) {
  const parts = children.split(EXACT_TIME);
  return parts.map((part, index) =>
    EXACT_TIME.test(part) ? (
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
