import { cn } from "~/lib/class-names";

const BARS = 96;
/** Positions of the three numbered sentences in the recording, as bar numbers. */
const MARKED = [3, 44, 75];

/** Returns the loudness from 0 to 1: two slow waves for the speakers, a quick one for the words. */
function loudness(bar: number): number {
  const turn = Math.abs(Math.sin(bar * 0.19) * Math.cos(bar * 0.047 + 0.6));
  const word = Math.abs(Math.sin(bar * 1.7) + Math.sin(bar * 2.9)) / 2;
  return Math.max(0.08, Math.min(1, 0.2 * word + turn * (0.35 + 0.65 * word)));
}

/** The recording as bars; the numbered sentences are highlighted. */
export function Waveform({ className }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${BARS * 4} 36`}
      aria-hidden
      className={cn("h-9 w-full", className)}
      preserveAspectRatio="none"
    >
      {Array.from({ length: BARS }, (_, bar) => {
        const height = Math.round(loudness(bar) * 34 * 10) / 10;
        const marked = MARKED.some((at) => bar >= at && bar < at + 6);
        return (
          <rect
            key={bar}
            x={bar * 4 + 0.5}
            y={(36 - height) / 2}
            width={2}
            height={height}
            rx={1}
            className={marked ? "fill-primary" : "fill-input/60"}
          />
        );
      })}
    </svg>
  );
}
