import type { Locator, Page } from "@playwright/test";
import { expect, holdBack, test, openLanding, waitForHydration } from "./product";

const getTop = async (part: Locator) => Math.round((await part.boundingBox())?.y ?? -1);

/**
 * Scrolls at once instead of smoothly. On a very busy machine Chromium ends a smooth jump some pixels too far, when the
 * router scrolls to the same part meanwhile.
 */
const jumpAtOnce = (page: Page) => page.emulateMedia({ reducedMotion: "reduce" });

test.describe("a visitor", () => {
  test("finds every part of the landing page, and every link works @no-js", async ({ page }) => {
    await openLanding(page);
    const headline = page.getByRole("heading", { level: 1 });
    await expect(headline).toHaveCount(1);
    const intro = page.getByText("is one calm place for a team’s meetings, tasks and chat.");
    for (const [width, beside] of [
      [360, false],
      [1280, true],
    ] as const) {
      await page.setViewportSize({ width, height: 740 });
      const [title, words] = [(await headline.boundingBox())!, (await intro.boundingBox())!];
      expect([width, words.x >= title.x + title.width]).toEqual([width, beside]);
      expect([width, words.y >= title.y + title.height]).toEqual([width, !beside]);
    }
    for (const text of [
      "Building the Future Together!",
      "6+",
      "100%",
      "10+",
      "Have questions, feedback, or partnership ideas?",
    ]) {
      await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
    }
    const anchors = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const anchor of new Set(anchors)) await expect(page.locator(anchor ?? "")).toHaveCount(1);
    const paths = await page
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const path of new Set(paths))
      expect((await page.request.get(path ?? "")).url()).toContain(path ?? "");
    for (const name of ["LinkedIn", "Twitter", "Instagram"]) {
      await expect(page.getByRole("link", { name: new RegExp(name) })).toHaveAttribute("target", "_blank");
    }
  });

  test("gets the cached page, and its scripts run under their hashes @js", async ({ page }) => {
    const openDialog = async () => {
      const answer = await openLanding(page);
      // A hydrated page opens the dialog without loading a document.
      await page.evaluate(() => (document.body.dataset.loaded = "once"));
      await page.getByRole("link", { name: "Sign Up for Early Access" }).first().click();
      await expect(page.getByRole("dialog").getByLabel("Full Name")).toBeFocused();
      await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
      return (await answer?.allHeaders()) ?? {};
    };
    const first = await openDialog();
    expect(first["content-security-policy"]).toContain("script-src 'self' 'sha256-");
    // The 304 response has no policy: the cached page runs under its own.
    const second = await openDialog();
    expect(second.etag).toEqual(expect.any(String));
  });

  test("gets the page without scripts, and loses nothing before they have come @js", async ({ page }) => {
    // Stands still, so that a slow machine does not reach the twelfth second.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    const release = await holdBack(page, "**/*.js");
    await page.goto("/", { waitUntil: "networkidle" });
    await page.clock.runFor(11_000);
    expect(scripts).toEqual([]);
    await page.clock.resume();
    // Nothing was fetched yet: the link opens a document, as without JavaScript.
    const link = page.getByRole("main").getByRole("link", { name: "Sign Up for Early Access" }).first();
    await link.click({ noWaitAfter: true });
    await expect(page).toHaveURL(/\/early-access$/);
    release();
    await expect(page.getByRole("dialog").getByLabel("Full Name")).toBeVisible();

    // Text typed while the scripts are on their way stays.
    await page.goto("/");
    const name = page.locator("#contact").getByLabel("Full Name");
    await name.pressSequentially("Ada Byron");
    await waitForHydration(page);
    await expect(name).toHaveValue("Ada Byron");
  });

  test.describe("with an extension that puts its own style in the page", () => {
    // The policy is for pages, not for extensions.
    test.use({ bypassCSP: true });

    test("keeps the page's styles @js", async ({ context }) => {
      // Not the fixture's page: React reports each node that it finds changed, and renders the document again.
      const page = await context.newPage();
      await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (!document.head) return;
          observer.disconnect();
          const properties = { className: "extension", textContent: "/* of an extension */" };
          document.head.prepend(Object.assign(document.createElement("style"), properties));
        }).observe(document, { childList: true, subtree: true });
      });
      for (const path of ["/", "/early-access"]) {
        await page.goto(path);
        await page.getByLabel("Full Name").last().pressSequentially("Ada");
        await expect(page.locator(".extension")).toHaveCount(0);
        await expect(page.locator("body")).toHaveCSS("font-family", /Inter/);
      }
    });
  });

  test("gets the scripts after twelve seconds without doing anything @js", async ({ page }) => {
    // Stands still, so that a slow machine does not reach the twelfth second too early.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto("/", { waitUntil: "networkidle" });
    const fetched = page.waitForRequest(/entry\.client/);
    await page.clock.runFor(12_000);
    await fetched;
  });

  test("opens the questions one by one @no-js", async ({ page }) => {
    await openLanding(page, "/#faqs");
    const questions = page.locator("#faqs details");
    await expect(questions).toHaveCount(3);
    await questions.nth(0).locator("summary").click();
    await questions.nth(2).locator("summary").click();
    await expect(questions.nth(0).locator("p")).toBeVisible();
    await expect(questions.nth(1).locator("p")).toBeHidden();
    await expect(questions.nth(2).locator("p")).toBeVisible();
  });

  test("jumps to a part of the page, which stops a hundred pixels from the top @js", async ({ page }) => {
    await jumpAtOnce(page);
    await openLanding(page);
    for (const [name, id] of [
      ["About", "about"],
      ["FAQs", "faqs"],
      ["Contact", "contact"],
    ]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`#${id}$`));
      await expect.poll(() => getTop(page.locator(`#${id}`))).toBe(100);
    }
  });

  test("scrolls smoothly, unless reduced motion is preferred @no-js", async ({ page }) => {
    const behavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
    await openLanding(page, "/#faqs");
    expect(await behavior()).toBe("auto");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" }).hover();
    expect(await behavior()).toBe("smooth");
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await behavior()).toBe("auto");
  });

  test("opens the menu on a small screen and follows its links @no-js", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await openLanding(page);
    const about = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" });
    await expect(about).toBeHidden();
    await page.locator("header summary").click();
    await about.click();
    await expect.poll(() => getTop(page.locator("#about"))).toBe(100);
    await openLanding(page);
    await page.locator("header summary").click();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Sign Up for Updates" })
      .click();
    await expect(page.getByRole("dialog", { name: "Stay Updated on Confer" })).toBeVisible();
  });

  test("closes the menu with Escape, or by following a link @js", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await jumpAtOnce(page);
    await openLanding(page);
    const toggle = page.locator("header summary");
    const about = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" });
    await toggle.click();
    await about.focus();
    await page.keyboard.press("Escape");
    await expect(about).toBeHidden();
    await expect(toggle).toBeFocused();
    await page.keyboard.press("Enter");
    await about.click();
    await expect(about).toBeHidden();
    await expect.poll(() => getTop(page.locator("#about"))).toBe(100);
  });

  test("sees scroll buttons in the margin beyond a hundred pixels, and uses both @js", async ({ page }) => {
    const top = page.getByRole("button", { name: "Scroll to top" });
    const bottom = page.getByRole("button", { name: "Scroll to bottom" });
    const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
    await jumpAtOnce(page);
    await openLanding(page);
    for (const width of [360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 740 });
      await page.evaluate(() => window.scrollTo(0, 100));
      await expect(top).toHaveCount(0);
      await page.evaluate(() => window.scrollTo(0, 101));
      await expect(top).toBeVisible();
      await bottom.click();
      const end = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
      await expect.poll(scrolled).toBe(end);
      // The buttons are right of every section's content, and above the push card.
      const box = (await top.boundingBox())!;
      const content = (await page.locator("#contact > div").evaluate((element) => {
        const { right } = element.getBoundingClientRect();
        return right - parseFloat(getComputedStyle(element).paddingRight);
      })) as number;
      expect(box.x).toBeGreaterThanOrEqual(content);
      expect((await bottom.boundingBox())!.y + 44).toBeLessThan(740 / 2 + 60);
      await top.click();
      await expect.poll(scrolled).toBe(0);
      await expect(top).toHaveCount(0);
    }
  });

  test("sees no scroll buttons without JavaScript @no-js", async ({ page }) => {
    await openLanding(page, "/#contact");
    await expect(page.locator("#contact")).toBeInViewport();
    await expect(page.getByRole("button", { name: /^Scroll to/ })).toHaveCount(0);
  });
});
