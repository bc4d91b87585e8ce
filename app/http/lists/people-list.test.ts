import { expect, it } from "vitest";
import { audienceMessages } from "~/content/audiences";
import { peopleList } from "./people-list";

it.each([
  ["acme.com", "acme.com"],
  [" @Acme.com", "acme.com"],
  ["müller.example", "xn--mller-kva.example"],
  ["@Müller.Example", "xn--mller-kva.example"],
  ["xn--mller-kva.example", "xn--mller-kva.example"],
  ["", ""],
])("filters by the domain %j as addresses have it", (domain, stored) => {
  expect(peopleList.read(new URLSearchParams({ domain }))).toMatchObject({
    ok: true,
    values: { domain: stored },
  });
});

it("refuses a delivery's status without the campaign, and leaves it out when it is read loosely", () => {
  const search = new URLSearchParams({ got: "any", role: "developer" });
  expect(peopleList.read(search)).toMatchObject({
    ok: false,
    errors: { got: audienceMessages.noCampaign },
  });
  expect(peopleList.readLoosely(search)).toMatchObject({
    values: { campaign: "", got: "", role: "developer" },
    filter: { matching: { campaign: undefined, role: "developer" } },
  });
});
