import { beforeAll, expect, it, onTestFinished } from "vitest";
import { ask } from "../../server/fixtures/raw-http";
import { startServer, type ServerProcess } from "../server-process";
import { sharedServer } from "./shared-server";

let server: ServerProcess;
beforeAll(async () => {
  server = await sharedServer();
});

const text = async (path: string) => (await server.fetch(path)).text();

/** The attribute of the one tag that matches. */
function only(html: string, tag: RegExp): string {
  const found = [...html.matchAll(new RegExp(tag, "g"))].map((match) => match[1] ?? "");
  expect(found, String(tag)).toHaveLength(1);
  return found[0] ?? "";
}

/** Width and height as the PNG's own header says them. */
async function pngSize(path: string): Promise<{ width: number; height: number; bytes: number }> {
  const answer = await server.fetch(path);
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), bytes: bytes.length };
}

it("the landing page names itself, and shows a picture of 1200 x 630 under 100 KB that is there", async () => {
  const html = await text("/");
  expect(only(html, /<title>([^<]*)</)).toBe("Confer: One calm place for a team’s meetings, tasks and chat");
  expect(only(html, /<meta name="description" content="([^"]*)"/).length).toBeLessThan(170);
  expect(only(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${server.origin}/`);
  expect(only(html, /<meta property="og:url" content="([^"]*)"/)).toBe(`${server.origin}/`);
  expect(only(html, /<meta name="twitter:card" content="([^"]*)"/)).toBe("summary_large_image");
  const image = only(html, /<meta property="og:image" content="([^"]*)"/);
  expect(image).toMatch(new RegExp(`^${server.origin}/static/assets/social-card-[\\w-]{8}\\.png$`));
  const { bytes, ...size } = await pngSize(new URL(image).pathname);
  expect(size).toEqual({ width: 1200, height: 630 });
  expect(bytes).toBeLessThan(100_000);
});

it("with ORIGIN every absolute address is ORIGIN's, whatever name the visitor used", async () => {
  const origin = "https://launch.example.com";
  const behindProxy = await startServer({ ORIGIN: origin });
  onTestFinished(() => behindProxy.remove());
  const fetchPath = async (path: string) =>
    (await ask(behindProxy.port, `GET ${path}`, { Host: "launch.example.com" })).body;
  const html = await fetchPath("/");
  expect(html).toContain(`<link rel="canonical" href="${origin}/"/>`);
  expect(html).toContain(`<meta property="og:image" content="${origin}/static/assets/social-card-`);
  expect(await fetchPath("/robots.txt")).toContain(`Sitemap: ${origin}/sitemap.xml`);
  expect(await fetchPath("/sitemap.xml")).toContain(`<loc>${origin}/</loc>`);
  expect(html + (await fetchPath("/site.webmanifest"))).not.toContain("localhost");
});

it("the questions told to search engines are those on the page, word for word", async () => {
  const html = await text("/");
  const json = only(html, /<script type="application\/ld\+json">(.*?)<\/script>/);
  const { "@graph": graph } = JSON.parse(json) as { "@graph": { "@type": string; mainEntity?: Told[] }[] };
  type Told = { name: string; acceptedAnswer: { text: string } };
  expect(graph.map((thing) => thing["@type"])).toEqual([
    "Organization",
    "WebSite",
    "SoftwareApplication",
    "FAQPage",
  ]);
  const shown = html.slice(html.indexOf("<body>"));
  const told = graph.at(-1)?.mainEntity ?? [];
  expect(told.length).toBe([...shown.matchAll(/<details id="faq-/g)].length);
  for (const { name, acceptedAnswer } of told) {
    expect(shown).toContain(`>${name}<`);
    expect(shown).toContain(`>${acceptedAnswer.text}<`);
  }
});

it("every icon of the page and of the manifest is there in the size it claims", async () => {
  const manifest = (await (await server.fetch("/site.webmanifest")).json()) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest.icons).toHaveLength(4);
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await pngSize(src);
    expect(`${width}x${height}`).toBe(sizes);
  }
  const html = await text("/login");
  expect(await pngSize(only(html, /<link rel="apple-touch-icon" href="([^"]*)"/))).toMatchObject({
    width: 180,
    height: 180,
  });
  expect(only(html, /<link rel="manifest" href="([^"]*)"/)).toBe("/site.webmanifest");
  for (const icon of ["/favicon.ico", "/favicon.svg"]) expect((await server.fetch(icon)).status).toBe(200);
});

it("whatever robots.txt shuts also says noindex by itself, and the landing page does not", async () => {
  const shut = [...(await text("/robots.txt")).matchAll(/^Disallow: (.+)$/gm)].map((match) => match[1] ?? "");
  expect(shut.length).toBeGreaterThan(4);
  for (const path of shut.flatMap((begin) => [begin, `${begin}/x`])) {
    expect([path, (await server.fetch(path)).headers.get("X-Robots-Tag")]).toEqual([path, "noindex"]);
  }
  for (const path of ["/", "/early-access", "/administration", "/robots.txt"]) {
    expect([path, (await server.fetch(path)).headers.get("X-Robots-Tag")]).toEqual([path, null]);
  }
});
