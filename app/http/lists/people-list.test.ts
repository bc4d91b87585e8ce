import { expect, it } from "vitest";
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
