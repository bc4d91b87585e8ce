/** The part of subset-font 2.9 that is used; it comes without types. */
declare module "subset-font" {
  interface Options {
    targetFormat?: "sfnt" | "woff2";
    variationAxes?: Record<string, number | { min: number; max: number }>;
    /** OpenType features to keep; all when absent. */
    keepFeatures?: string[];
    noHinting?: boolean;
    /** Keep every glyph; the text must then be undefined. */
    keepAllGlyphs?: boolean;
  }
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: Options,
  ): Promise<Buffer>;
}
