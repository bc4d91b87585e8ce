import { describe, expect, it } from "vitest";
import { findForm, getValue } from "./form-html";
import { FORM_PATHS } from "./visitors";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

/** Removes what differs in every rendering: the nonce and the stamp. */
const removeVarying = (html: string) =>
  html
    .replace(/ nonce="[^"]*"/g, "")
    .replace(new RegExp(getValue(findForm(html, "/contact"), "stamp").replace(".", "\\."), "g"), "");

describe("the landing page", () => {
  // Parameters that lead past the cache, which has no page for a session.
  it.each(["/?x=1", ...FORM_PATHS])(
    "%s is the same for every visitor, so that it can be cached",
    async (path) => {
      const visitors: HeadersInit[] = [
        {},
        superadmin.headers,
        { "Accept-Language": "de", "User-Agent": "Somebody else", Referer: "https://e.example/" },
      ];
      const pages = await Promise.all(
        visitors.map(async (headers) => removeVarying(await readText(server.fetch(path, { headers })))),
      );
      expect(new Set(pages).size).toBe(1);
    },
  );

  it("has each form once, with a stamp, at its own address", async () => {
    for (const path of FORM_PATHS) {
      const html = await readText(server.fetch(path));
      const dialogs = path === "/contact" ? 0 : 1;
      expect([path, html.match(/<dialog/g)?.length ?? 0]).toEqual([path, dialogs]);
      expect(getValue(findForm(html, path), "stamp")).toMatch(/^\w+\.[\w-]{22}$/);
    }
  });

  it("offers the four roles, and none, for early access", async () => {
    const form = findForm(await readText(server.fetch("/early-access")), "/early-access");
    const options = /<select[^>]* name="role".*?<\/select>/s.exec(form)?.[0] ?? "";
    expect([...options.matchAll(/<option value="(\w*)"/g)].map(([, role]) => role)).toEqual([
      "",
      "executive",
      "manager",
      "developer",
      "other",
    ]);
  });
});
