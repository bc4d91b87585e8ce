import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Distribution } from "./distribution";

function columns(early: number, contact: number, updates: number) {
  const counts = { "early-access": early, "contact-form": contact, "updates-signup": updates };
  const html = renderToStaticMarkup(<Distribution counts={counts} />);
  const percentages = [...html.matchAll(/>(\d+)%</g)].map(([, percentage]) => Number(percentage));
  const fills = [...html.matchAll(/class="fill-(info|success|danger)"/g)].map(([, fill]) => fill);
  return { html, percentages, fills };
}

describe("Submission Distribution (specification, section 9)", () => {
  it("bears its title and has a column for each form", () => {
    const { html } = columns(1, 1, 1);
    expect(html).toMatch(/<h2[^>]*>Submission Distribution<\/h2>/);
    expect([...html.matchAll(/<dt[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual([
      "Early Access",
      "Contact Form",
      "Updates",
    ]);
  });

  it("is blue from 50, green from 30 and red below", () => {
    expect(columns(50, 30, 20)).toMatchObject({
      percentages: [50, 30, 20],
      fills: ["info", "success", "danger"],
    });
    expect(columns(49, 29, 22)).toMatchObject({
      percentages: [49, 29, 22],
      fills: ["success", "danger", "danger"],
    });
  });

  it("colours by the rounded percentage", () => {
    expect(columns(497, 296, 207)).toMatchObject({
      percentages: [50, 30, 21],
      fills: ["info", "success", "danger"],
    });
  });

  it("is nothing of everything while nobody has sent a form", () => {
    const { percentages, html } = columns(0, 0, 0);
    expect(percentages).toEqual([0, 0, 0]);
    expect(html).toMatch(/Total Submissions: <[^>]*>0</);
  });

  it("says the counts and their total", () => {
    const { html } = columns(1200, 30, 4);
    for (const number of ["1,200", "30", "4", "1,234"]) expect(html).toContain(`>${number}<`);
  });
});
