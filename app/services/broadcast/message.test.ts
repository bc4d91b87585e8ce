import { expect, it } from "vitest";
import { getTarget } from "./message";

const appTypes = { landing: "the-page", application: "the-app" };

it.each([
  ["all", null, { to: "all" }],
  ["landing", null, { to: "app", appType: "the-page" }],
  ["application", null, { to: "app", appType: "the-app" }],
  ["application", "t1", { to: "tenant", tenantId: "t1" }],
  ["all", "t1", { to: "all" }],
  ["landing", "t1", { to: "app", appType: "the-page" }],
] as const)(
  "a broadcast to %s with the company %s goes where section 7 says",
  (audience, tenant_id, target) => {
    expect(getTarget({ audience, tenant_id }, appTypes)).toEqual(target);
  },
);
