import { expect, it } from "vitest";
import {
  CHOICES,
  getFields,
  listColumns,
  BOT_CHECK_INPUTS,
  SOURCE_INPUT,
  SUBMISSION_KINDS,
  toColumns,
} from "./form-fields";
import { EMPTY_FIELDS } from "./typed-columns";
import { submissionText } from "./submission-text";

it.each([
  ["early-access", ["Name", "Email", "Company", "Role", "Timestamp"]],
  ["contact-form", ["Timestamp", "Full Name", "Email", "Inquiry Type", "Message"]],
  ["updates-signup", ["Timestamp", "Name", "Email"]],
] as const)("the columns of %s are the specification's", (kind, headers) => {
  expect(listColumns(kind).map(({ csv }) => csv)).toEqual(headers);
});

it("the choices to filter by are those of a form's own field", () => {
  for (const kind of SUBMISSION_KINDS) {
    const asked = getFields(kind).filter((field) => !("setting" in field));
    const choices = asked.flatMap(({ rule }) => (rule.kind === "choice" ? rule.choices : []));
    expect(choices).toEqual(CHOICES[kind]);
  }
});

it.each(SUBMISSION_KINDS)("no field of %s has the name of an input of all forms", (kind) => {
  const taken: readonly string[] = [...Object.values(BOT_CHECK_INPUTS), SOURCE_INPUT];
  expect(getFields(kind).filter(({ input }) => taken.includes(input))).toEqual([]);
});

it("inputs become columns", () => {
  const typed = { fullName: "Ada", email: "ada@example.com", inquiryType: "support", message: "Hello" };
  expect(toColumns("contact-form", typed)).toEqual({
    name: "Ada",
    email: "ada@example.com",
    inquiry_type: "support",
    message: "Hello",
  });
  expect(toColumns("early-access", { name: "Ada", email: "a@b.c" })).toMatchObject({ company: "", role: "" });
});

it.each([
  ["early-access", { company: "Acme", role: "developer" }, "Acme, Developer"],
  ["early-access", { role: "other" }, "Other"],
  ["contact-form", { inquiry_type: "support", message: "Help" }, "Support: Help"],
  ["contact-form", { message: "Help" }, "Help"],
  ["updates-signup", {}, ""],
] as const)("the text of %s with %j is %j", (kind, fields, text) => {
  expect(submissionText(kind, { ...EMPTY_FIELDS, name: "Ada", email: "ada@example.com", ...fields })).toBe(
    text,
  );
});
