import { describe, expect, it } from "vitest";
import { readFormWithFile } from "./form-data.server";

const FIELD = 'Content-Disposition: form-data; name="note"';
const FILE = 'Content-Disposition: form-data; name="file"; filename="people.csv"\r\nContent-Type: text/csv';

/** A multipart request of parts, each with its headers and its content in Latin-1. */
function send(parts: readonly (readonly [headers: string, content: string])[], end = "--x--\r\n"): Request {
  const body = parts.map(([headers, content]) => `--x\r\n${headers}\r\n\r\n${content}\r\n`).join("") + end;
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  return new Request("http://localhost/", { method: "POST", headers, body: Buffer.from(body, "latin1") });
}

describe("a form with a file", () => {
  it("is read with its fields and its file", async () => {
    const { form, file } = await readFormWithFile(
      send([
        [FIELD, "by phone"],
        [FIELD, "again"],
        [FILE, "email\r\nada@example.com\r\n"],
      ]),
      "file",
    );
    expect(form).toEqual({ note: ["by phone", "again"], file: "" });
    expect([file.name, await file.text()]).toEqual(["people.csv", "email\r\nada@example.com\r\n"]);
  });

  it("has an empty file without a name where none was chosen, or the form was sent without one", async () => {
    // As a browser sends a file field that was left empty.
    const unchosen = send([[FILE.replace("people.csv", ""), ""]]);
    const urlEncoded = new Request("http://localhost/", {
      method: "POST",
      body: new URLSearchParams({ note: "x" }),
    });
    for (const request of [unchosen, urlEncoded]) {
      const { file } = await readFormWithFile(request, "file");
      expect([file.name, file.size]).toEqual(["", 0]);
    }
  });

  // C25, C37, R47
  it.each([
    ["that does not end", send([[FIELD, "x"]], "")],
    ["with a second file", send(Array(2).fill([FILE, "a"]))],
    ["with more parts than any form has", send(Array(21).fill([FIELD, "x"]))],
    ["with text in another encoding than UTF-8", send([[FIELD, "Gr\xfc\xdfe"]])],
    ["with endless headers", send([[`${FIELD}; a=${"b".repeat(10_000)}`, "x"]])],
  ])("%s is refused in the product's words", async (_, request) => {
    const refusal = await readFormWithFile(request, "file").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Response);
    const { status } = refusal as Response;
    expect([status, await (refusal as Response).text()]).toEqual([
      400,
      "This form could not be read. Please go back, reload the page and send it again.",
    ]);
  });
});
