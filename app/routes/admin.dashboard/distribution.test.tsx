import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Distribution } from "./counts";

function renderColumns(early: number, contact: number, updates: number) {
  const counts = { "early-access": early, "contact-form": contact, "updates-signup": updates };
  const html = renderToStaticMarkup(<Distribution counts={counts} />);
  const percentages = [...html.matchAll(/>(\d+)%</g)].map(([, percentage]) => Number(percentage));
  const fills = [...html.matchAll(/class="fill-(info|success|destructive)"/g)].map(([, fill]) => fill);
  return { html, percentages, fills };
}

describe("Submission Distribution (specification, section 9)", () => {
  it("has its title and a column for each form", () => {
    const { html } = renderColumns(1, 1, 1);
    expect(html).toMatch(/<h2[^>]*>Submission Distribution<\/h2>/);
    expect([...html.matchAll(/<dt[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual([
      "Early Access",
      "Contact Form",
      "Updates",
    ]);
  });

  it("is blue from 50, green from 30 and red below", () => {
    expect(renderColumns(50, 30, 20)).toMatchObject({
      percentages: [50, 30, 20],
      fills: ["info", "success", "destructive"],
    });
    expect(renderColumns(49, 29, 22)).toMatchObject({
      percentages: [49, 29, 22],
      fills: ["success", "destructive", "destructive"],
    });
  });

  it("colours by the rounded percentage", () => {
    expect(renderColumns(497, 296, 207)).toMatchObject({
      percentages: [50, 30, 21],
      fills: ["info", "success", "destructive"],
    });
  });

  it("is 0% for each form without submissions", () => {
    const { percentages, html } = renderColumns(0, 0, 0);
    expect(percentages).toEqual([0, 0, 0]);
    expect(html).toMatch(/Total Submissions: <[^>]*>0</);
  });

  it("shows the counts and their total", () => {
    const { html } = renderColumns(1200, 30, 4);
    for (const number of ["1,200", "30", "4", "1,234"]) expect(html).toContain(`>${number}<`);
  });
});
