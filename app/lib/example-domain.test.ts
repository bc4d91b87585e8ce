import { expect, it } from "vitest";
import { getDomain, isExampleDomain } from "./example-domain";

it("reserved example names are recognised, real ones are not", () => {
  const reserved = ["mail.example.org", "EXAMPLE.NET", "launch.test", "a.invalid", "localhost"];
  expect(reserved.filter((domain) => !isExampleDomain(domain))).toEqual([]);
  const real = ["counterexample.com", "example.co", "latest", "example.com.au", "contest.org"];
  expect(real.filter(isExampleDomain)).toEqual([]);
});

it("the domain of an address follows its last @", () => {
  expect(getDomain("Ada@Mail.Launch.Org")).toBe("mail.launch.org");
});
