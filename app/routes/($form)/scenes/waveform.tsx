import { cn } from "~/lib/utils";

const BARS = Array.from({ length: 96 }, (_, bar) => bar);
const BAR_DISTANCE = 4;
const BAR_WIDTH = 2;
const MAX_BAR_HEIGHT = 34;
const HEIGHT = 36;
/** Positions of the three numbered sentences in the recording, as bar numbers. */
const MARKED = [3, 44, 75];

const isMarked = (bar: number) => MARKED.some((at) => bar >= at && bar < at + 6);

/** Returns the loudness from 0 to 1: two slow waves for the speakers, a quick one for the words. */
function loudness(bar: number): number {
  const turn = Math.abs(Math.sin(bar * 0.19) * Math.cos(bar * 0.047 + 0.6));
  const word = Math.abs(Math.sin(bar * 1.7) + Math.sin(bar * 2.9)) / 2;
  return Math.max(0.08, Math.min(1, 0.2 * word + turn * (0.35 + 0.65 * word)));
}

/** Returns bars as strokes of one path: an element for each would be a quarter of the page's elements. */
function toStrokes(bars: readonly number[]): string {
  const strokes = bars.map((bar) => {
    // Round caps make a stroke longer by its width.
    const length = MAX_BAR_HEIGHT * loudness(bar) - BAR_WIDTH;
    const x = (bar + 0.5) * BAR_DISTANCE;
    return `M${x} ${((HEIGHT - length) / 2).toFixed(1)}v${length.toFixed(1)}`;
  });
  return strokes.join("");
}

const marked = toStrokes(BARS.filter((bar) => isMarked(bar)));
const unmarked = toStrokes(BARS.filter((bar) => !isMarked(bar)));

/** The recording as bars; the numbered sentences are highlighted. */
export function Waveform({ className = "h-9" }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${BARS.length * BAR_DISTANCE} ${HEIGHT}`}
      aria-hidden
      className={cn("w-full", className)}
      preserveAspectRatio="none"
      strokeWidth={BAR_WIDTH}
      strokeLinecap="round"
    >
      <path d={unmarked} className="stroke-input/60" />
      <path d={marked} className="stroke-primary" />
    </svg>
  );
}
