import { describe, expect, it } from "vitest";
import { EnvironmentError, readEnvironment } from "~/env.server";
import { createMirror } from "./mirrors.server";

const ENDPOINTS = {
  SUBMISSION_MIRROR: "web-endpoint",
  MIRROR_EARLY_ACCESS_URL: "https://hooks.example.com/early",
  MIRROR_CONTACT_URL: "https://hooks.example.com/contact",
  MIRROR_UPDATES_URL: "http://127.0.0.1:9000/updates",
};
const SHEETS = {
  GOOGLE_API_KEY: "AIzaSyTests-of-the-environment",
  SHEET_EARLY_ACCESS_ID: "sheet-of-early-access-1234",
  SHEET_CONTACT_ID: "sheet-of-the-contact-form1",
  SHEET_UPDATES_ID: "sheet-of-updates-signups-1",
};
const UNSAFE_URLS = [
  "http://hooks.example.com/",
  "https://10.0.0.1/",
  "https://[::1]/",
  "ftp://hooks.example.com/",
];
const toEnvironment = (values: Record<string, string>) => readEnvironment({ NODE_ENV: "test", ...values });
const open = (values: Record<string, string>) => createMirror(toEnvironment(values), { clock: Date.now });

describe("the mirror that the environment chooses", () => {
  it("is none unless one is chosen", async () => {
    expect(await open({ ...SHEETS })).toBeUndefined();
  });

  it("can be read with a key and the ids of its sheets, which then identify it", async () => {
    const blind = await open(ENDPOINTS);
    const reading = await open({ ...ENDPOINTS, ...SHEETS });
    const moved = await open({
      ...ENDPOINTS,
      ...SHEETS,
      MIRROR_EARLY_ACCESS_URL: "https://hooks.example.com/deployed-again",
    });
    expect(blind?.mirror.read).toBeUndefined();
    expect(reading?.mirror.read).toBeDefined();
    expect(moved?.targets).toEqual(reading?.targets);
    expect(new Set(Object.values(reading?.targets ?? {})).size).toBe(3);
    expect(JSON.stringify(blind?.targets)).not.toContain("hooks");
    await Promise.all([blind, reading, moved].map((chosen) => chosen?.mirror.close()));
  });

  it.each([
    ...Object.keys(ENDPOINTS)
      .slice(1)
      .map((name) => [name, { ...ENDPOINTS, [name]: "" }] as const),
    ...Object.keys(SHEETS)
      .slice(1)
      .map((name) => [name, { ...ENDPOINTS, ...SHEETS, [name]: "" }] as const),
    ...UNSAFE_URLS.map((url) => ["MIRROR_CONTACT_URL", { ...ENDPOINTS, MIRROR_CONTACT_URL: url }] as const),
  ])("is refused with the name of the variable that is missing or unsafe: %s", (name, values) => {
    expect(() => toEnvironment(values)).toThrow(EnvironmentError);
    expect(() => toEnvironment(values)).toThrow(`  ${name}: `);
  });
});
