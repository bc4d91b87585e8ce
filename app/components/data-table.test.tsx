import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DataTable } from "./data-table";

const HEADERS = ["Name", "Message"];
const render = (cells: string[][], total = cells.length) =>
  renderToStaticMarkup(
    <DataTable
      id="people"
      title="People"
      headers={HEADERS}
      rows={cells.map((row, index) => ({ id: String(index), cells: row }))}
      total={total}
      empty={<p>Nobody yet</p>}
    />,
  );
const table = (html: string) => html.slice(html.indexOf("<table"), html.indexOf("</table>"));
const cards = (html: string) => html.slice(html.indexOf("<ul"));

it("cuts the table's last column at 50 characters and no other (specification, section 9)", () => {
  const html = table(render([["n".repeat(60), "m".repeat(60)]]));
  expect(html).toContain(`<bdi>${"n".repeat(60)}</bdi>`);
  expect(html).toContain(`<bdi>${"m".repeat(50)}...</bdi>`);
  expect(html).toContain(`title="${"m".repeat(60)}"`);
});

it("cuts every value of a small screen's card at 80", () => {
  const html = cards(render([["n".repeat(90), "m".repeat(80)]]));
  expect(html).toContain(`<bdi>${"n".repeat(80)}...</bdi>`);
  expect(html).toContain(`<bdi>${"m".repeat(80)}</bdi>`);
});

it("shows five cards on a small screen and says how many entries are not shown", () => {
  const rows = Array.from({ length: 7 }, (_, index) => [`name ${index}`, ""]);
  const html = cards(render(rows, 1207));
  expect(html.match(/<li/g)).toHaveLength(5);
  expect(html).toContain("1,202 more entries not shown. View on larger screen for complete data.");
  expect(html).not.toContain("name 5");
});

it("says nothing of more entries when all of them are shown", () => {
  expect(render([["a", "b"]])).not.toContain("not shown");
});

it("starts open on wide screens and collapsed on small ones, except when it is empty", () => {
  expect(render([["a", "b"]]).match(/<details open=""/g)).toHaveLength(1);
  const empty = render([]);
  expect(empty.match(/<details open=""/g)).toHaveLength(2);
  expect(empty).toContain("Nobody yet");
  expect(empty).not.toContain("<table");
});

it("shows text literally", () => {
  expect(render([["<script>alert(1)</script>", "\u202Ex"]])).not.toContain("<script>");
});
