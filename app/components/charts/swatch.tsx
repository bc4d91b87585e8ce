import { cn } from "~/lib/utils";
import { type Colour, COLOURS } from "./colours";

/** The colour of a part, beside its name. */
export function Swatch({ colour }: { colour: Colour }) {
  return (
    <span
      aria-hidden
      className={cn(
        "inline-block size-2 rounded-sm forced-color-adjust-none [print-color-adjust:exact]",
        COLOURS[colour].background,
      )}
    />
  );
}
