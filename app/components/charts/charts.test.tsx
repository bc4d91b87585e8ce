import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import { describe, expect, it } from "vitest";
import { FunnelBars } from "./funnel-bars";
import { NamedColumns } from "./named-columns";
import { axisNumber, columnScale, heightScale, isNamed, getMiddle, placeAt, pointScale } from "./scales";
import { getShares, ShareBar } from "./share-bar";
import { Sparkline } from "./sparkline";
import { StackedColumns } from "./stacked-columns";
import { TimeLine } from "./time-line";
import type { Crosshair } from "./use-crosshair";

const render = (chart: ReactNode) => renderToStaticMarkup(<StaticRouter location="/">{chart}</StaticRouter>);

const SERIES = [
  { name: "ERROR", colour: "destructive" },
  { name: "INFO", colour: "info" },
] as const;

const renderColumns = (values: readonly (readonly number[])[], index?: number) =>
  render(
    <StackedColumns
      label="Lines by hour"
      span="2 hours"
      series={SERIES}
      height={134}
      columns={values.map((counts, place) => ({
        name: `${place}:00`,
        axisName: `${place}`,
        values: counts,
        to: `/logs?hour=${place}`,
        isChosen: place === index,
      }))}
    />,
  );

const crosshairAt = (index?: number): Crosshair => ({ index, show: () => undefined, hide: () => undefined });

const renderLine = (
  values: readonly (number | null)[],
  props: Partial<Parameters<typeof TimeLine>[0]> = {},
) =>
  render(
    <TimeLine
      label="CPU"
      values={values}
      max={100}
      formatTime={(index) => `at ${index}`}
      axisName={() => undefined}
      describe={(index: number) => String(values[index])}
      crosshair={crosshairAt()}
      height={134}
      {...props}
    />,
  );

const getPaths = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`<path[^>]*class="visx-${name}[^"]*"[^>]*>`, "g"))].map(
    ([tag]) => /\bd="([^"]*)"/.exec(tag)?.[1],
  );

describe("scales", () => {
  it("fill the width with the steps of columns", () => {
    const x = columnScale(4);
    expect(x.step()).toBe(25);
    expect(x(0)).toBeCloseTo(2.5);
    expect([0, 3].map((index) => getMiddle(x, index))).toEqual([12.5, 87.5]);
  });

  it("put the first and the last point at the edges", () => {
    expect([0, 1, 4].map((index) => getMiddle(pointScale(5), index))).toEqual([0, 25, 100]);
    expect(getMiddle(pointScale(1), 0)).toBe(0);
  });

  it("find the column under a position, and the nearest point", () => {
    const at = (position: number) => [
      placeAt(columnScale(4), 4, position),
      placeAt(pointScale(4), 4, position),
    ];
    expect([-1, 0, 0.24, 0.26, 0.99, 1, 2].map(at)).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
      [1, 1],
      [3, 3],
      [3, 3],
      [3, 3],
    ]);
  });

  it.each([
    [
      [0, 0],
      [0, 1],
    ],
    [
      [3, 120, 40],
      [0, 50, 100, 150],
    ],
    [[], [0, 1]],
  ])("have whole numbers from zero to above %j", (values, lines) => {
    const y = heightScale(values, 200);
    expect(y.ticks(3).filter((value) => Number.isInteger(value))).toEqual(lines);
  });

  it.each([
    [0, "0"],
    [9999, "9,999"],
    [12_000, "12k"],
    [12_500, "12.5k"],
    [3_500_000, "3.5M"],
  ])("write %d as %s beside the axis", (value, text) => {
    expect(axisNumber(value)).toBe(text);
  });

  it("name about six times, the newest among them", () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, index) => index).filter((index) => isNamed(index, count));
    expect(named(30)).toEqual([4, 9, 14, 19, 24, 29]);
    expect(named(3)).toEqual([0, 1, 2]);
  });
});

describe("stacked columns", () => {
  it("stack the parts from the bottom up", () => {
    // 100 pixels from the zero line at 110 to the highest line, 20.
    const html = renderColumns([
      [5, 10],
      [0, 20],
    ]);
    const bars = [
      ...html.matchAll(/<rect class="visx-bar" x="([^"]+)"[^>]* y="([^"]+)" height="([^"]+)" stroke/g),
    ];
    expect(bars.map(([, x, y, height]) => [x, y, height])).toEqual([
      ["5%", "35", "50"],
      ["55%", "10", "100"],
      ["5%", "85", "25"],
    ]);
  });

  it("show a part that is not zero, however small", () => {
    const html = renderColumns([[1, 99_999]]);
    expect(html).toMatch(/y="108" height="2"/);
  });

  it("make each whole column a link, an empty one too", () => {
    const html = renderColumns([
      [0, 0],
      [1, 1],
    ]);
    const links = [
      ...html.matchAll(
        /<a [^>]*href="([^"]+)"[^>]*><rect [^>]*height="([^"]+)"[^>]*><\/rect><title>([^<]+)/g,
      ),
    ];
    expect(links.map(([, ...link]) => link)).toEqual([
      ["/logs?hour=0", "110", "0:00: ERROR 0, INFO 0"],
      ["/logs?hour=1", "110", "1:00: ERROR 1, INFO 1"],
    ]);
  });

  it("name each part beside its colour, with its total", () => {
    const text = renderColumns([
      [1, 1000],
      [2, 0],
    ]).replace(/<[^>]+>/g, "|");
    expect(text.replace(/\|+/g, "|")).toContain("|2 hours|ERROR|3|INFO|1,000|All|1,003|");
  });
});

describe("a line over time", () => {
  it("has a gap where nothing was measured, and a dot for a single value", () => {
    // 100 at 10, 0 at 110.
    const [line] = getPaths(renderLine([0, 50, null, 100]), "linepath");
    expect(line).toBe("M0,110L1,60M3,10Z");
    expect(renderLine([0, 50, null, 100]).match(/<circle[^>]*>/g)).toHaveLength(1);
    expect(renderLine([0, 50, null, 100])).toMatch(/<circle[^>]*cx="100%" cy="10"/);
    expect(getPaths(renderLine([null, null]), "linepath")).toEqual([""]);
  });

  it("reaches above its usual top for a higher value", () => {
    expect(renderLine([250])).toContain(">300<");
    expect(renderLine([50])).toContain(">100<");
  });

  it("draws peaks, a limit with its name, and what was wrong", () => {
    const html = renderLine([10, 20, 30], {
      peaks: [15, 90, 35],
      limit: { value: 80, name: "limit 80 %" },
      marks: [{ from: 0.5, to: 1.5 }],
    });
    expect(getPaths(html, "linepath")).toHaveLength(2);
    expect(html).toMatch(/<line x2="100%" y1="30" y2="30"[^>]*><\/line><text[^>]*>limit 80 %</);
    expect(html).toMatch(
      /data-incident="true"><rect class="visx-bar fill-destructive\/15" x="25%" [^>]*width="50%"/,
    );
  });

  it("names the time under the crosshair instead of the axis", () => {
    const html = renderLine([1, 2], { crosshair: crosshairAt(1), axisName: () => "axis" });
    expect(html).toContain(">at 1</text>");
    expect(html).not.toContain("axis<");
  });
});

describe("one bar of parts", () => {
  it("gives each part its share, and a small one enough to be seen", () => {
    expect(getShares([3, 0, 1])).toEqual([
      { from: 0, width: 75 },
      { from: 75, width: 0 },
      { from: 75, width: 25 },
    ]);
    const small = getShares([1, 99_999]);
    expect(small[0]?.width).toBeGreaterThan(0.9);
    expect((small[0]?.width ?? 0) + (small[1]?.width ?? 0)).toBeCloseTo(100);
    expect(getShares([0, 0])).toEqual([
      { from: 0, width: 0 },
      { from: 0, width: 0 },
    ]);
  });

  it("says its numbers to screen readers", () => {
    const parts = [
      { name: "sent", colour: "success", count: 1200 },
      { name: "failed", colour: "destructive", count: 0 },
    ] as const;
    expect(render(<ShareBar label="Delivery" parts={parts} />)).toContain(
      'aria-label="Delivery: 1,200 sent"',
    );
  });
});

// C16
it("no chart has a style attribute, which the content policy forbids", () => {
  const charts = [
    renderColumns([[1, 2]], 0),
    renderLine([1, null, 2], {
      peaks: [1, null, 2],
      limit: { value: 1, name: "limit" },
      marks: [{ from: 0, to: 1 }],
    }),
    renderLine([1, 2], { crosshair: crosshairAt(0) }),
    render(<Sparkline label="Signups" values={[0, 0]} colour="contact-form" />),
    render(
      <NamedColumns label="Counts" columns={[{ name: "Updates", value: 0, colour: "updates-signup" }]} />,
    ),
    render(<ShareBar label="Delivery" parts={[{ name: "sent", colour: "success", count: 1 }]} />),
  ];
  for (const html of charts) {
    expect(html).toContain("<svg");
    expect(html).not.toMatch(/style=|NaN|undefined/);
  }
});

describe("a funnel", () => {
  it("has its steps on one scale, each before what it is a share of", () => {
    const html = render(
      <FunnelBars
        label="Funnel"
        lead={{ name: "Visits", value: 9000 }}
        steps={[
          { name: "Signups", value: 200, of: 0, rate: "" },
          { name: "Invited", value: 50, of: 200, rate: "25.0% of signups" },
          { name: "Joined", value: 10, of: 50, rate: "20.0% of invited" },
        ]}
        colour="early-access"
      />,
    );
    const widths = [...html.matchAll(/<rect[^>]*?width="([\d.]+%)"/g)].map(([, width]) => width);
    // Of each: the whole line, what it is a share of, and its own bar.
    expect(widths).toEqual(["100%", "0%", "100%", "100%", "100%", "25%", "100%", "25%", "5%"]);
    expect(html).toContain("9,000");
    expect(html).toContain("25.0% of signups");
  });
});
