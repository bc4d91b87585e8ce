/** Encodings that a file's bytes do not tell, in the order of the choice; in each a character is a byte, ASCII the same. */
export const CHOSEN_ENCODINGS = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "iso-8859-2",
  "iso-8859-15",
  "macintosh",
] as const;
export type ChosenEncoding = (typeof CHOSEN_ENCODINGS)[number];

export const isChosenEncoding = (encoding: string): encoding is ChosenEncoding =>
  (CHOSEN_ENCODINGS as readonly string[]).includes(encoding);

/** What a file's bytes tell: "bytes" is an encoding in which a character is a byte, which somebody has to choose. */
export type ToldEncoding = "utf-8" | "utf-16le" | "utf-16be" | "bytes";

/** Bytes that tell UTF-16 without a byte order mark by where their NULs are. */
const LOOKED_AT = 4096;

/** Tells a file's encoding: by its byte order mark, by its NULs, or because it is UTF-8 throughout. */
export function tellEncoding(bytes: Uint8Array): ToldEncoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const nuls = [0, 0];
  const length = Math.min(bytes.length, LOOKED_AT);
  for (let at = 0; at < length; at += 1) {
    if (bytes[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = nuls;
  if (bytes.length % 2 === 0 && odd > length / 4 && even === 0) return "utf-16le";
  if (bytes.length % 2 === 0 && even > length / 4 && odd === 0) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return "bytes";
  }
}

/** Decodes a file; of "bytes" each byte becomes the character with its number, for `decodeCell` (also of ASCII). */
export function decodeFile(bytes: Uint8Array, encoding: ToldEncoding): string {
  if (encoding === "bytes") return Buffer.from(bytes).toString("latin1");
  return new TextDecoder(encoding).decode(bytes);
}

const decoders = new Map<ChosenEncoding, TextDecoder>();

/** Returns the text of a cell as the file's encoding has it. Only that of a chosen encoding differs from what is stored. */
export function decodeCell(cell: string, encoding: string): string {
  if (!isChosenEncoding(encoding) || /^[\0-\x7f]*$/.test(cell)) return cell;
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, decoder);
  return decoder.decode(Buffer.from(cell, "latin1"));
}
