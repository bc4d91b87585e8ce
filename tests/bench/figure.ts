/** A measurement compared only with its aim. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "MiB";
  /** Upper limit that the value must keep; undefined without an aim. */
  readonly atMost: number | undefined;
}

export const figure = (what: string, value: number, unit: Figure["unit"], atMost?: number): Figure => ({
  what,
  value,
  unit,
  atMost,
});
