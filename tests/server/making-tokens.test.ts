import { beforeAll, describe, expect, it } from "vitest";
import { formPost } from "../server-process";
import type { ServerProcess } from "../server-process";
import { superadminOf } from "./operators";
import { makeToken } from "./made-tokens";
import { sharedServer } from "./shared-server";
import { rowsOf } from "./visitors";

let server: ServerProcess;
let superadmin: string;
beforeAll(async () => {
  server = await sharedServer();
  superadmin = await superadminOf(server);
});

describe("making a token", () => {
  const post = (fields: Record<string, string>) =>
    server.fetch("/admin/tokens", formPost({ intent: "make", ...fields }, { Cookie: superadmin }));

  it("shows it in the answer to the post and nowhere else", async () => {
    const made = await makeToken(server, superadmin, { scopes: ["email:send"] });
    const page = await server.fetch("/admin/tokens", { headers: { Cookie: superadmin } });
    const html = await page.text();
    expect(html).toContain(made.slice(0, 11));
    expect(html).not.toContain(made);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
  });

  it.each<[Record<string, string>, string]>([
    [{ name: " ", life: "never", scopes: "email:send" }, "Please enter the name."],
    [
      { name: "x".repeat(101), life: "never", scopes: "email:send" },
      "Please shorten the name to 100 characters.",
    ],
    [{ name: "News", life: "never" }, "Please select at least one permission."],
    [{ name: "News", life: "never", scopes: "everything" }, "Please select at least one permission."],
    [{ name: "News", life: "for ever", scopes: "email:send" }, "Please choose when it expires."],
  ])("of %j is refused, and what was typed stays", async (fields, sentence) => {
    const before = rowsOf(server, "select id from api_tokens");
    const answer = await post(fields);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain(sentence);
    expect(html).toContain(`value="${fields.name}"`);
    expect(/<input type="checkbox"[^>]*checked/.test(html)).toBe(fields.scopes === "email:send");
    expect(rowsOf(server, "select id from api_tokens")).toEqual(before);
  });
});
