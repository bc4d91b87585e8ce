import { cn } from "~/lib/utils";
import { type Colour, COLOURS } from "./colours";

/** The colour of a part, beside its name. */
export function Swatch({ colour }: { colour: Colour }) {
  return <span aria-hidden className={cn("chart-swatch", COLOURS[colour].background)} />;
}
