import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import * as icons from "./icons";

it("every icon is a symbol of the sprite, and every symbol is an icon", () => {
  const sprite = readFileSync("app/components/icons.svg", "utf8");
  const symbols = [...sprite.matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id);
  const used = Object.values(icons).map(
    (Icon) => /icons\.svg#([\w-]+)"/.exec(renderToStaticMarkup(<Icon />))?.[1],
  );
  expect(used.sort()).toEqual(symbols.sort());
});
