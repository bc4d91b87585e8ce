/** Something measured that is compared with nothing but what was asked for. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "s" | "MiB";
  /** The most it may be; undefined where nothing is asked. */
  readonly atMost: number | undefined;
}

export const figure = (what: string, value: number, unit: Figure["unit"], atMost?: number): Figure => ({
  what,
  value,
  unit,
  atMost,
});
