import { expect, it } from "vitest";
import { useServer } from "./use-server";

const server = useServer();

const text = async (path: string) => (await server.fetch(path)).text();

/** Returns the attribute of the one tag that matches. */
function getOnly(html: string, tag: RegExp): string {
  const found = [...html.matchAll(new RegExp(tag, "g"))].map((match) => match[1] ?? "");
  expect(found, String(tag)).toHaveLength(1);
  return found[0] ?? "";
}

/** Reads width and height from a PNG's header. */
async function readPngSize(path: string): Promise<{ width: number; height: number; bytes: number }> {
  const answer = await server.fetch(path);
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), bytes: bytes.length };
}

it("the landing page has its meta tags and a preview image", async () => {
  const html = await text("/");
  expect(getOnly(html, /<title>([^<]*)</)).toBe(
    "Confer: One calm place for a team’s meetings, tasks and chat",
  );
  expect(getOnly(html, /<meta name="description" content="([^"]*)"/).length).toBeLessThan(170);
  expect(getOnly(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${server.origin}/`);
  expect(getOnly(html, /<meta property="og:url" content="([^"]*)"/)).toBe(`${server.origin}/`);
  expect(getOnly(html, /<meta name="twitter:card" content="([^"]*)"/)).toBe("summary_large_image");
  const image = getOnly(html, /<meta property="og:image" content="([^"]*)"/);
  expect(image).toMatch(new RegExp(`^${server.origin}/static/assets/social-card-[\\w-]{8}\\.png$`));
  const { bytes, ...size } = await readPngSize(new URL(image).pathname);
  expect(size).toEqual({ width: 1200, height: 630 });
  expect(bytes).toBeLessThan(100_000);
});

it("every address in the head is absolute", async () => {
  const html = await text("/");
  const head = html.slice(0, html.indexOf("</head>")).replace(/<style.*?<\/style>/s, "");
  const addresses = head.match(/https?:\/\/[^"\\]+/g) ?? [];
  const foreign = addresses.filter((address) => !address.startsWith(`${server.origin}/`));
  expect(addresses.length - foreign.length).toBeGreaterThan(10);
  expect(foreign.filter((address) => !/schema\.org|linkedin|twitter|instagram/.test(address))).toEqual([]);
});

it("a form's address has its own title and description, and the page's preview", async () => {
  const html = await text("/early-access");
  expect(getOnly(html, /<title>([^<]*)</)).toBe("Sign up for early access · Confer");
  expect(getOnly(html, /<meta name="description" content="([^"]*)"/)).toMatch(/^Be among the first teams/);
  expect(getOnly(html, /<meta property="og:title" content="([^"]*)"/)).toMatch(/^Confer: /);
});

it("the questions of the structured data are those on the page, word for word", async () => {
  const html = await text("/");
  const json = getOnly(html, /<script type="application\/ld\+json">(.*?)<\/script>/);
  const { "@graph": graph } = JSON.parse(json) as {
    "@graph": { "@type": string; mainEntity?: Question[] }[];
  };
  type Question = { name: string; acceptedAnswer: { text: string } };
  expect(graph.map((thing) => thing["@type"])).toEqual([
    "Organization",
    "WebSite",
    "SoftwareApplication",
    "FAQPage",
  ]);
  const shown = html.slice(html.indexOf("<body>"));
  const questions = graph.at(-1)?.mainEntity ?? [];
  expect(questions.length).toBe([...shown.matchAll(/<details id="faq-/g)].length);
  for (const { name, acceptedAnswer } of questions) {
    expect(shown).toContain(`>${name}<`);
    expect(shown).toContain(`>${acceptedAnswer.text}<`);
  }
});

it("every icon of the page and of the manifest has the size it declares", async () => {
  const manifest = (await (await server.fetch("/site.webmanifest")).json()) as {
    icons: { src: string; sizes: string; purpose: string }[];
  };
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "192x192 maskable",
    "512x512 maskable",
  ]);
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await readPngSize(src);
    expect(`${width}x${height}`).toBe(sizes);
  }
  const html = await text("/login");
  expect(await readPngSize(getOnly(html, /<link rel="apple-touch-icon" href="([^"]*)"/))).toMatchObject({
    width: 180,
    height: 180,
  });
  expect(getOnly(html, /<link rel="manifest" href="([^"]*)"/)).toBe("/site.webmanifest");
  for (const icon of ["/favicon.ico", "/favicon.svg"]) expect((await server.fetch(icon)).status).toBe(200);
});

it("every path that robots.txt disallows has noindex", async () => {
  const disallowed = [...(await text("/robots.txt")).matchAll(/^Disallow: (.+)$/gm)].map(
    (match) => match[1] ?? "",
  );
  expect(disallowed.length).toBeGreaterThan(4);
  for (const path of disallowed.flatMap((begin) => [begin, `${begin}/x`])) {
    expect([path, (await server.fetch(path)).headers.get("X-Robots-Tag")]).toEqual([path, "noindex"]);
  }
  for (const path of ["/", "/early-access", "/administration", "/robots.txt"]) {
    expect([path, (await server.fetch(path)).headers.get("X-Robots-Tag")]).toEqual([path, null]);
  }
});
