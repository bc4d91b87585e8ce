import { expect, it } from "vitest";
import { OPTED_OUT, readAddresses } from "./address-list";
import { csvLine } from "./csv";

it("reads one address a line, as typed, and lists the lines without one", () => {
  const text = "\uFEFFAda@Example.com\r\n\r\n grace@example.com \nnobody\n<b>x</b>@example.com\n";
  expect(readAddresses([text])).toMatchObject({
    addresses: ["Ada@Example.com", "grace@example.com"],
    wrong: 2,
    firstWrong: [
      { textIndex: 0, line: 4, text: "nobody" },
      { textIndex: 0, line: 5, text: "<b>x</b>@example.com" },
    ],
  });
});

it.each([
  ["commas", "email,name\nada@example.com,Ada\n"],
  ["semicolons", "E-Mail;Name\nada@example.com;Ada\n"],
  ["tabs", "address\tname\nada@example.com\tAda"],
  ["quotes", '"Email","Said ""hello"""\r\n"ada@example.com","Byron, Ada"\r\n'],
])("reads the first column of a CSV with %s, without its header", (_, text) => {
  expect(readAddresses([text])).toMatchObject({ addresses: ["ada@example.com"], wrong: 0, firstWrong: [] });
});

// C21
it("reads our own CSV files, also addresses that look like formulas", () => {
  const addresses = ["=cmd@example.com", "+1@example.com", "-x@example.com", "o'neil@example.com"];
  const file = [["Address", "Why"], ...addresses.map((address) => [address, "bounced"])]
    .map(csvLine)
    .join("");
  expect(readAddresses([file])).toMatchObject({ addresses, wrong: 0, firstWrong: [] });
});

// C36
it.each([",", ";", "\t"])("finds the opt-outs of our own CSV files, saved with %j", (separator) => {
  const rows = [
    ["Address", "Detail", OPTED_OUT],
    ["ada@example.com", "", "yes"],
    ["Grace@example.com", 'said, "no"; never\tagain', "yes"],
    ["o'neil@example.com", "yes", "no"],
    ["short@example.com"],
  ];
  const file = rows.map((cells) => csvLine(cells).replaceAll('","', `"${separator}"`)).join("");
  const { addresses, optOuts } = readAddresses([file, "yes@example.com,,yes"]);
  expect(addresses).toHaveLength(5);
  expect([...optOuts]).toEqual(["ada@example.com", "Grace@example.com"]);
});

it.each([
  "ann@x.com, bob@x.com; cy@x.com",
  "ann@x.com,note,bob@x.com",
  'ann@x.com\t"bob@x.com"',
  'ann@x.com, "Byron, Bob" <bob@x.com>',
])("finds no address in %s, whose other addresses would be lost", (line) => {
  const wrong = [{ textIndex: 0, line: 2, text: line }];
  expect(readAddresses([`Email addresses:\n${line}`])).toMatchObject({
    addresses: [],
    wrong: 1,
    firstWrong: wrong,
  });
});

it.each([
  ["a header that names it", "Email,Asked by\nann@x.com,bob@x.com"],
  ["the same address", "ann@x.com;Ann@X.com"],
  ["a text around it", "ann@x.com,as bob@x.com said\n"],
])("leaves out another column with %s", (_, text) => {
  expect(readAddresses([text])).toMatchObject({ addresses: ["ann@x.com"], wrong: 0, firstWrong: [] });
});

// C19
it.each([
  ["two addresses", "a@example.com b@example.com"],
  ["a quote that does not end", '"ada@example.com'],
  ["255 characters", `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}`],
])("finds no address in a line with %s", (_, line) => {
  expect(readAddresses([line])).toMatchObject({
    addresses: [],
    wrong: 1,
    firstWrong: [{ textIndex: 0, line: 1, text: line }],
  });
});

it("reports a first line that is neither a header nor an address", () => {
  expect(readAddresses(["nobody\nemail"]).firstWrong.map((one) => one.text)).toEqual(["nobody", "email"]);
});

// C25
it("reads a line of two million characters quickly", () => {
  for (const line of [`"${"a".repeat(2e6)}`, '"'.repeat(2e6), " ".repeat(2e6), `${",".repeat(2e6)}x`]) {
    expect(readAddresses([line]).addresses).toEqual([]);
    expect(readAddresses([`a@b.co,${line}`]).addresses).toEqual(["a@b.co"]);
    expect(readAddresses([`Email,${OPTED_OUT}\na@b.co,${line}`]).optOuts.size).toBe(0);
  }
});

it("reads several texts as one list, each with its own header and lines", () => {
  expect(readAddresses(["Email\na@example.com\nx", "Email\n\ny\nb@example.com"])).toMatchObject({
    addresses: ["a@example.com", "b@example.com"],
    wrong: 2,
    firstWrong: [
      { textIndex: 0, line: 3, text: "x" },
      { textIndex: 1, line: 3, text: "y" },
    ],
  });
});

// C37
it("counts all lines without an address and keeps the first 200", () => {
  const { wrong, firstWrong } = readAddresses([`${"x".repeat(400)}\n`.repeat(300)]);
  expect([wrong, firstWrong.length]).toEqual([300, 200]);
  expect(firstWrong.at(-1)).toMatchObject({ textIndex: 0, line: 200, text: "x".repeat(400) });
});

it("finds nothing in empty texts", () => {
  expect(readAddresses([" \r\n\t\n", ""])).toMatchObject({ addresses: [], wrong: 0, firstWrong: [] });
});

// R47, R48
it("reads addresses at domains outside ASCII, and without invisible characters", () => {
  const text = "E-Mail;Name\nada@müller.example;Ada\n\u200bgrace@example.com\u00a0;Grace\nádá@example.com;\n";
  expect(readAddresses([text])).toMatchObject({
    addresses: ["ada@xn--mller-kva.example", "grace@example.com"],
    wrong: 1,
    firstWrong: [{ textIndex: 0, line: 4, text: "ádá@example.com;" }],
  });
});
