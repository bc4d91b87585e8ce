import { expect, test } from "vitest";
import { delayScripts } from "./delay-scripts.ts";

const PAGE = [
  '<html><head><link rel="modulepreload" href="/a.js"/><link rel="stylesheet" href="/a.css"/></head>',
  '<body><script nonce="N">early()</script><script nonce="N" type="module" async="">import "/a.js"</script></body></html>',
  '<script nonce="N">data()</script>',
].join("");

test("delays module scripts and their preloads, and nothing else", () => {
  const page = delayScripts(PAGE, "N");
  const loader = /<script nonce="N">\(function loadOnInterest.*<\/script>(?=<\/body>)/s.exec(page)?.[0] ?? "";
  expect(loader).not.toBe("");
  expect(page.replace(loader, "")).toBe(
    PAGE.replace('rel="modulepreload"', 'rel="delayed-modulepreload"').replace(
      'type="module"',
      'type="delayed-module"',
    ),
  );
});
