import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TablePanel } from "./table-panel";

const render = (cells: string[][], total = cells.length) =>
  renderToStaticMarkup(
    <TablePanel
      id="people"
      title="People"
      columns={["Name", "Message"].map((name, column) => ({
        name,
        cell: (row: { cells: string[] }) => row.cells[column],
      }))}
      rows={cells.map((row, index) => ({ id: String(index), cells: row }))}
      total={total}
      empty={<p>Nobody yet</p>}
    />,
  );
const table = (html: string) => html.slice(html.indexOf("<table"), html.indexOf("</table>"));
const cards = (html: string) => html.slice(html.lastIndexOf("<table"));

it("shows its title, its headers and its rows as text, in order", () => {
  const text = table(render([["a", "b"], ["c"]])).replace(/<[^>]+>/g, "|");
  expect(text.replace(/\|+/g, "|")).toBe("|People|Name|Message|a|b|c|");
});

it("says beside its title how many entries there are, open or collapsed", () => {
  const heads = (html: string) =>
    [...html.matchAll(/<summary.*?<\/summary>/g)].map(([head]) => head.replace(/<[^>]+>/g, " ").trim());
  expect(heads(render([["a", "b"]], 7))).toEqual(Array(2).fill(expect.stringMatching(/^People +7 entries$/)));
  expect(heads(render([["a", "b"]]))[0]).toMatch(/ 1 entry$/);
});

/** tests/constants.test.ts checks that sm and md are 600 and 900 px. */
it("is a table from sm on, denser from md, and cards below", () => {
  const html = render([["a", "b"]]);
  expect(html).toMatch(
    /<details data-slot="collapsible" open="" class="hidden sm:block">.*<table.*<\/table>.*<\/details>/,
  );
  expect(html).toMatch(
    /<details data-slot="collapsible" class="sm:hidden">.*<table.*max-sm:block.*<\/table>.*<\/details>/,
  );
  const cells = html.match(/<td [^>]*>/g);
  expect(cells).toHaveLength(4);
  for (const cell of cells ?? []) expect(cell).toMatch(/\spy-3\s.*\smd:pt-2\s/);
});

it("cuts only the table's last column, at 50 characters", () => {
  const html = table(render([["n".repeat(60), "m".repeat(60)]]));
  expect(html).toContain(`>${"n".repeat(60)}</bdi>`);
  expect(html).toContain(`>${"m".repeat(50)}...</bdi>`);
  expect(html).toContain(`title="${"m".repeat(60)}"`);
});

it("cuts every value of a small screen's card at 80", () => {
  const html = cards(render([["n".repeat(90), "m".repeat(80)]]));
  expect(html).toContain(`>${"n".repeat(80)}...</bdi>`);
  expect(html).toContain(`>${"m".repeat(80)}</bdi>`);
});

it("shows five cards on a small screen and says how many entries are not shown", () => {
  const rows = Array.from({ length: 7 }, (_, index) => [`name ${index}`, ""]);
  const html = cards(render(rows, 1207));
  expect(html.match(/<tr/g)).toHaveLength(6);
  expect(html).toContain("1,202 more entries not shown. View on larger screen for complete data.");
  expect(html).not.toContain("name 5");
});

it("has no note on further entries when all are shown", () => {
  expect(render([["a", "b"]])).not.toContain("not shown");
});

it("starts open on wide screens and collapsed on small ones, empty or not", () => {
  const empty = render([]);
  for (const html of [render([["a", "b"]]), empty]) {
    expect(html).toMatch(/<details data-slot="collapsible" open="" class="hidden sm:block">/);
    expect(html).toMatch(/<details data-slot="collapsible" class="sm:hidden">/);
  }
  expect(empty.match(/0 entries/g)).toHaveLength(2);
  expect(empty).toContain("Nobody yet");
  expect(empty).not.toContain("<table");
});

it("shows text literally", () => {
  expect(render([["<script>alert(1)</script>", "\u202Ex"]])).not.toContain("<script>");
});
