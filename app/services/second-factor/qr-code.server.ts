import { encode } from "uqr";

/** A QR code as one path of squares, 1 unit each, on a ground of size by size units. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** The standard's quiet zone (ISO/IEC 18004), in squares: without it cameras do not find the code. */
const QUIET_ZONE = 4;

/** Dark squares side by side are one rectangle of the path. */
export function qrCodeOf(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...line.matchAll(/#+/g)].map(
      ({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`,
    );
  });
  return { size, path: path.join("") };
}
