import { expect, it } from "vitest";
import { readAddresses } from "./address-list";
import { csvLine } from "./csv";

it("reads one address a line, as typed, and lists the lines without one", () => {
  const text = "\uFEFFAda@Example.com\r\n\r\n grace@example.com \nnobody\n<b>x</b>@example.com\n";
  expect(readAddresses([text])).toEqual({
    addresses: ["Ada@Example.com", "grace@example.com"],
    wrong: 2,
    firstWrong: [
      { line: 4, text: "nobody" },
      { line: 5, text: "<b>x</b>@example.com" },
    ],
  });
});

it.each([
  ["commas", "email,name\nada@example.com,Ada\n"],
  ["semicolons", "E-Mail;Name\nada@example.com;Ada\n"],
  ["tabs", "address\tname\nada@example.com\tAda"],
  ["quotes", '"Email","Said ""hello"""\r\n"ada@example.com","Byron, Ada"\r\n'],
])("reads the first column of a CSV with %s, without its header", (_, text) => {
  expect(readAddresses([text])).toEqual({ addresses: ["ada@example.com"], wrong: 0, firstWrong: [] });
});

// C21
it("reads our own CSV files, also addresses that look like formulas", () => {
  const addresses = ["=cmd@example.com", "+1@example.com", "-x@example.com", "o'neil@example.com"];
  const file = [["Address", "Why"], ...addresses.map((address) => [address, "bounced"])]
    .map(csvLine)
    .join("");
  expect(readAddresses([file])).toEqual({ addresses, wrong: 0, firstWrong: [] });
});

// C19
it.each([
  ["two addresses", "a@example.com b@example.com"],
  ["a quote that does not end", '"ada@example.com'],
  ["255 characters", `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}`],
])("finds no address in a line with %s", (_, line) => {
  expect(readAddresses([line])).toEqual({ addresses: [], wrong: 1, firstWrong: [{ line: 1, text: line }] });
});

it("reports a first line that is neither a header nor an address", () => {
  expect(readAddresses(["nobody\nemail"]).firstWrong.map((one) => one.text)).toEqual(["nobody", "email"]);
});

// C25
it("reads a line of two million characters quickly", () => {
  for (const line of [`"${"a".repeat(2e6)}`, '"'.repeat(2e6), " ".repeat(2e6), `${",".repeat(2e6)}x`]) {
    expect(readAddresses([line]).addresses).toEqual([]);
  }
});

it("reads several texts as one list, each with its own header and lines", () => {
  expect(readAddresses(["Email\na@example.com\nx", "Email\n\ny\nb@example.com"])).toEqual({
    addresses: ["a@example.com", "b@example.com"],
    wrong: 2,
    firstWrong: [
      { line: 3, text: "x" },
      { line: 3, text: "y" },
    ],
  });
});

// C37
it("counts all lines without an address and keeps the first 200, truncated", () => {
  const { wrong, firstWrong } = readAddresses([`${"x".repeat(400)}\n`.repeat(300)]);
  expect([wrong, firstWrong.length]).toEqual([300, 200]);
  expect(firstWrong.at(-1)).toEqual({ line: 200, text: "x".repeat(300) });
});

it("finds nothing in empty texts", () => {
  expect(readAddresses([" \r\n\t\n", ""])).toEqual({ addresses: [], wrong: 0, firstWrong: [] });
});

// R47, R48
it("reads addresses at domains outside ASCII, and without invisible characters", () => {
  const text = "E-Mail;Name\nada@müller.example;Ada\n\u200bgrace@example.com\u00a0;Grace\nádá@example.com;\n";
  expect(readAddresses([text])).toEqual({
    addresses: ["ada@xn--mller-kva.example", "grace@example.com"],
    wrong: 1,
    firstWrong: [{ line: 4, text: "ádá@example.com;" }],
  });
});
