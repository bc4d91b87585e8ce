import { expect, it } from "vitest";
import { getTarget } from "./target";

const appTypes = { landing: "the-page", application: "the-app" };

it.each([
  ["all", null, {}],
  ["landing", null, { app_type: "the-page" }],
  ["application", null, { app_type: "the-app" }],
  ["application", "t1", { tenant_id: "t1" }],
  ["all", "t1", {}],
  ["landing", "t1", { app_type: "the-page" }],
] as const)(
  "a broadcast to %s with the company %s goes where section 7 says",
  (audience, tenant_id, target) => {
    expect(getTarget({ audience, tenant_id }, appTypes)).toEqual(target);
  },
);
