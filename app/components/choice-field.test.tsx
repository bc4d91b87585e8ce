import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ChoiceField } from "./choice-field";

const field = { name: "level", label: "Level", choices: { INFO: "Information", WARN: "Warnings" } };
const getOptions = (html: string) => [...html.matchAll(/<option.*?<\/option>/g)].map(([option]) => option);

it("lists the empty choice first and selects the value", () => {
  expect(getOptions(renderToStaticMarkup(<ChoiceField {...field} value="WARN" any="All levels" />))).toEqual([
    '<option value="">All levels</option>',
    '<option value="INFO">Information</option>',
    '<option value="WARN" selected="">Warnings</option>',
  ]);
});

it.each(["DEBUG", "constructor", "__proto__"])("keeps the unknown value %s selected", (value) => {
  expect(getOptions(renderToStaticMarkup(<ChoiceField {...field} value={value} />))).toEqual([
    '<option value="INFO">Information</option>',
    '<option value="WARN">Warnings</option>',
    `<option value="${value}" selected="">${value}</option>`,
  ]);
});
