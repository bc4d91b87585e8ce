import { expect, test } from "vitest";
import { guessMapping } from "./import-columns";

test.each([
  [
    "Mailchimp",
    ["Email Address", "First Name", "Last Name", "OPTIN_TIME", "UNSUB_TIME", "TAGS"],
    { email: 0, first_name: 1, last_name: 2, signed_up_at: 3, unsubscribed_at: 4 },
  ],
  [
    "listmonk",
    ["uuid", "email", "name", "attributes", "status", "created_at", "updated_at"],
    { email: 1, name: 2, status: 4, signed_up_at: 5 },
  ],
  [
    "HubSpot",
    [
      "Record ID",
      "First Name",
      "Last Name",
      "Email",
      "Job Title",
      "Company Name",
      "Create Date",
      "Original Source",
    ],
    { first_name: 1, last_name: 2, email: 3, role: 4, company: 5, signed_up_at: 6, source: 7 },
  ],
  [
    "Prefinery",
    ["id", "email", "first_name", "last_name", "status", "joined_at", "referrer"],
    { email: 1, first_name: 2, last_name: 3, status: 4, signed_up_at: 5, source: 6 },
  ],
  ["a file without headers", ["", ""], {}],
])("guesses the columns of %s", (_, headers, mapping) => {
  expect(guessMapping(headers)).toEqual(mapping);
});
