import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Sparkline } from "./sparkline";

const getLines = (values: (number | null)[]) => {
  const html = renderToStaticMarkup(<Sparkline label="CPU" values={values} max={100} limit={80} />);
  return [...html.matchAll(/<polyline points="([^"]+)"/g)].map(([, points]) => points);
};

it("a gap in the values is a gap in the line", () => {
  expect(getLines([0, 50, null, 100, 100])).toEqual(["0,39 1,20", "3,1 4,1"]);
});

it("a single value is a dash, and none is no line", () => {
  expect(getLines([null, 100, null])).toEqual(["1,1 2,1"]);
  expect(getLines([null, null])).toEqual([]);
});

it("a value above the top stays inside", () => {
  expect(getLines([200, 200])).toEqual(["0,1 1,1"]);
});

it("has no style attribute, which the content policy forbids (C16)", () => {
  const html = renderToStaticMarkup(<Sparkline label="CPU" values={[1, 2]} max={0} />);
  expect(html).not.toContain("style=");
  expect(html).not.toContain("NaN");
});
