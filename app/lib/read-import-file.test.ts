import { expect, test } from "vitest";
import { emailKey } from "./email-address";
import type { Delimiter } from "./import-file";
import { readImportFile } from "./read-import-file";

async function read(file: string | Buffer, delimiter?: Delimiter) {
  const lines = [];
  for await (const message of readImportFile(Buffer.from(file as string), delimiter)) {
    if (message.kind === "lines") lines.push(...message.lines);
    else if (message.kind === "end") {
      const names = message.columns.map(({ name }) => name);
      return { encoding: message.encoding, delimiter: message.delimiter, names, lines };
    } else return message;
  }
  throw new Error("It has no end");
}

const LINES = [{ line: 2, cells: ["Zoë@example.com", "Zoë"], email_key: "" }];

test.each([
  ["UTF-8", Buffer.from("Email,Name\nZoë@example.com,Zoë"), "utf-8"],
  ["UTF-8 with a mark", Buffer.from("\ufeffEmail,Name\r\nZoë@example.com,Zoë\r\n"), "utf-8"],
  ["UTF-16 with a mark", Buffer.from("\ufeffEmail,Name\nZoë@example.com,Zoë", "utf16le"), "utf-16le"],
  ["UTF-16 without", Buffer.from("Email,Name\nZoë@example.com,Zoë", "utf16le"), "utf-16le"],
  [
    "UTF-16 with the other order",
    Buffer.from("Email,Name\nZoë@example.com,Zoë", "utf16le").swap16(),
    "utf-16be",
  ],
  ["one byte a character", Buffer.from("Email,Name\nZoë@example.com,Zoë", "latin1"), "bytes"],
])("reads a file in %s", async (_, file, encoding) => {
  expect(await read(file)).toMatchObject({ encoding, names: ["Email", "Name"], lines: LINES });
});

test.each([
  ["a,b\nx@example.com,y", ","],
  ["a;b;c\nx@example.com;y;1,5", ";"],
  ["a\tb\nx@example.com\ty, z", "\t"],
  ["sep=;\na,b;c\nx@example.com;y", ";"],
  ["a\nx@example.com", ","],
])("finds the delimiter of %j", async (file, delimiter) => {
  expect(await read(file)).toMatchObject({ delimiter });
});

test("numbers lines as an editor does, and leaves empty ones out", async () => {
  const file = 'Email,Note\r\n\r\nADA@example.com,"one\r\ntwo"\r\n,\r\nx,grace@example.com\r\n';
  expect(await read(file)).toMatchObject({
    lines: [
      { line: 3, cells: ["ADA@example.com", "one\ntwo"], email_key: "ada@example.com" },
      { line: 6, cells: ["x", "grace@example.com"], email_key: "grace@example.com" },
    ],
  });
});

test("finds an address that our own files have as text", async () => {
  expect(await read("Email\n'+ada@example.com\n'ada@example.com")).toMatchObject({
    lines: [{ email_key: "+ada@example.com" }, { email_key: "'ada@example.com" }],
  });
});

test.each(["ada@example.com", "ada@müller.example", "ada\u200b@example.com"])(
  "reads a file without headers that begins with %j",
  async (first) => {
    const lines = [{ line: 1, email_key: emailKey(first) }, { line: 2 }];
    expect(await read(`${first}\ngrace@example.com`)).toMatchObject({ names: [""], lines });
  },
);

test("keeps characters that two pieces share", async () => {
  const name = "ë".repeat(30_001);
  const outcome = await read(`Email,Name\na@example.com,${name}\nb@example.com,${name}`);
  expect(outcome).toMatchObject({
    lines: [{ cells: ["a@example.com", name] }, { cells: ["b@example.com", name] }],
  });
});
