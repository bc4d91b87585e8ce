import { expect, it } from "vitest";
import { findForm, unescapeHtml } from "./form-html";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { FORM_PATHS, readRows, submit } from "./visitors";

const server = useServer({
  BRAND_NAME: "Lumen & Töchter <AG>",
  CONTACT_EMAIL: "desk@lumen.test",
  SOCIAL_LINKEDIN: "https://www.linkedin.com/company/lumen",
  SOCIAL_TWITTER: "none",
  SOCIAL_INSTAGRAM: "none",
  PRIVACY_URL: "https://lumen.test/privacy?a=1&b=2",
  IMPRINT_URL: "https://lumen.test/imprint",
});
const superadmin = useSuperadmin(server);
const NAME = "Lumen & Töchter <AG>";

const read = async (path: string) => unescapeHtml(await readText(server.fetch(path)));

it("the landing page presents the brand of the settings, and nothing of the example's", async () => {
  // The second one comes from the page cache.
  const pages = [await read("/?fresh"), await read("/"), await read("/")];
  for (const page of pages) {
    expect(page).toContain(`<title>${NAME}: `);
    expect(page).toContain(`© 2025 ${NAME}. All rights reserved.`);
    expect(page).toContain('href="mailto:desk@lumen.test"');
    expect(page).toContain('href="https://www.linkedin.com/company/lumen"');
    expect(page).not.toContain("twitter.com");
    expect(page).not.toContain("instagram.com");
    expect(page).toMatch(/<a href="https:\/\/lumen\.test\/imprint"[^>]*>Imprint</);
    expect(page).not.toMatch(/confer(?!-)/i);
  }
  // Nothing of a name is markup.
  expect(await readText(server.fetch("/"))).not.toContain("<AG>");
});

it.each(FORM_PATHS)("%s links to the privacy policy, and stores that with the consent", async (path) => {
  const email = `privacy-${path.slice(1)}@example.com`;
  const form = unescapeHtml(findForm(await readText(server.fetch(path)), path));
  expect(form).toMatch(/<a href="https:\/\/lumen\.test\/privacy\?a=1&b=2"[^>]*>Privacy policy</);
  expect((await submit(server, path, { email })).status).toBe(303);
  const [consent] = readRows(server, "select wording from consents where email_key = ?", email);
  const [words = "", link] = String(consent?.wording).split(" Privacy policy: ");
  expect(form).toContain(words);
  expect(link).toBe("https://lumen.test/privacy?a=1&b=2");
});

it("the manifests, the back office and the document of the API have the name", async () => {
  expect(await (await server.fetch("/site.webmanifest")).json()).toMatchObject({ name: NAME });
  expect(await (await server.fetch("/back-office.webmanifest")).json()).toMatchObject({
    name: `${NAME} back office`,
  });
  expect(unescapeHtml(await superadmin.read("/admin/activity"))).toContain(
    `<title>Activity · ${NAME} back office</title>`,
  );
  expect(await (await server.fetch("/api/openapi.json")).json()).toMatchObject({
    info: { title: `${NAME} API` },
  });
});
