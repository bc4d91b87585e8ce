import { expect, it } from "vitest";
import { listCases } from "./letter-cases";

it("combines the cases of letters beyond a to z", () => {
  expect(listCases("Acme & Sons")).toEqual(["Acme & Sons"]);
  expect(listCases("Café Über").toSorted()).toEqual(["CafÉ Über", "CafÉ über", "Café Über", "Café über"]);
  expect(listCases("Straße")).toEqual(["Straße"]);
});

it("combines those of four letters at most", () => {
  expect(listCases("éèêë")).toHaveLength(16);
  expect(listCases("Éèêëi")).toHaveLength(16);
  expect(listCases("Čeština žije")).toHaveLength(8);
  expect(listCases("Заря Восток")).toEqual(["Заря Восток", "заря восток", "ЗАРЯ ВОСТОК"]);
});
