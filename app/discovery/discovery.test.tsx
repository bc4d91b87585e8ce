import { Meta, UNSAFE_RemixContext } from "@remix-run/react";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server";
import { expect, it } from "vitest";
import { robotsTxt, sitemapXml } from "./crawler-files";
import { landingMeta } from "./landing-meta";
import { webManifest } from "./web-manifest";

const ORIGIN = "https://launch.example.com";

type RemixContext = NonNullable<ComponentProps<typeof UNSAFE_RemixContext.Provider>["value"]>;

/** Renders the head as Remix does. */
async function renderHead(facts: Partial<Parameters<typeof landingMeta>[0]>): Promise<string> {
  const meta = () =>
    landingMeta({ origin: ORIGIN, images: { card: "/card.png", logo: "/logo.png" }, faqs: [], ...facts });
  const handler = createStaticHandler([{ id: "page", path: "/", element: <Meta /> }]);
  const answer = await handler.query(new Request(ORIGIN));
  if (answer instanceof Response) throw new Error("Answered without a page");
  const router = createStaticRouter(handler.dataRoutes, answer);
  const context = { isSpaMode: false, routeModules: { page: { meta, default: () => null } } };
  return renderToStaticMarkup(
    <UNSAFE_RemixContext.Provider value={context as unknown as RemixContext}>
      <StaticRouterProvider router={router} context={answer} hydrate={false} />
    </UNSAFE_RemixContext.Provider>,
  );
}

it("a question cannot close the script element of the structured data, and is parsed unchanged", async () => {
  const question = "</script><script>alert(1)</script> & \u2028 <!-- why?";
  const markup = await renderHead({ faqs: [{ question, answer: "Because." }] });
  const [, json = "", rest] = /<script type="application\/ld\+json">(.*)<\/script>(.*)/s.exec(markup) ?? [];
  expect(rest).toBe("");
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  const graph = JSON.parse(json) as { "@graph": { "@type": string; mainEntity?: unknown }[] };
  expect(graph["@graph"].at(-1)).toMatchObject({
    "@type": "FAQPage",
    mainEntity: [{ "@type": "Question", name: question, acceptedAnswer: { text: "Because." } }],
  });
});

it("every address in the head is absolute, and begins with the origin or is a social page", async () => {
  const addresses = (await renderHead({})).match(/https?:\/\/[^"\\]+/g) ?? [];
  const foreign = addresses.filter((address) => !address.startsWith(`${ORIGIN}/`));
  expect(addresses.length - foreign.length).toBeGreaterThan(10);
  expect(foreign.filter((address) => !/schema\.org|linkedin|twitter|instagram/.test(address))).toEqual([]);
});

it("a form's address has its own title and description, and the page's preview", async () => {
  const markup = await renderHead({ form: { title: "Sign up", description: "Be early." } });
  expect(markup).toContain("<title>Sign up</title>");
  expect(markup).toContain('<meta name="description" content="Be early."/>');
  expect(markup).toContain('<meta property="og:title" content="Confer: ');
});

it("robots.txt disallows the private parts and has the absolute address of the sitemap", () => {
  expect(robotsTxt(ORIGIN)).toBe(
    "User-agent: *\nDisallow: /admin\nDisallow: /login\nDisallow: /logout\nDisallow: /unauthorized\nDisallow: /unsubscribe\nDisallow: /updates/confirm\n\nSitemap: https://launch.example.com/sitemap.xml\n",
  );
});

it("the sitemap lists only the landing page, as XML", () => {
  expect(sitemapXml("https://a.example")).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n  <url><loc>https://a.example/</loc></url>\n</urlset>\n',
  );
  expect(sitemapXml("https://a.example/?a&<b>")).toContain(
    "<loc>https://a.example/?a&#38;&#60;b&#62;/</loc>",
  );
});

it("the manifest offers both sizes, plain and maskable", () => {
  const { icons } = webManifest({ any192: "/a", any512: "/b", maskable192: "/c", maskable512: "/d" });
  expect(icons.map(({ src, sizes, purpose }) => `${src} ${sizes} ${purpose}`)).toEqual([
    "/a 192x192 any",
    "/b 512x512 any",
    "/c 192x192 maskable",
    "/d 512x512 maskable",
  ]);
});
