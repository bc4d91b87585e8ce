import { encode } from "uqr";

/** Quiet zone in squares (ISO/IEC 18004): cameras do not find the code without it. */
const QUIET_ZONE = 4;

/**
 * Renders a text as a QR code: one SVG path of squares of 1 unit, in an area of size by size units. Adjacent dark
 * squares of a row are one rectangle.
 */
export function createQrCode(text: string) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...line.matchAll(/#+/g)].map(
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
    );
  });
  return { size, path: path.join("") };
}
