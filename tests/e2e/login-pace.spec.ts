import { expect, holdBack, OWN_PASSWORD, signIn, submitLogin, test } from "./product";

/** Specification, sections 2 and 9. */
test("a login says that it succeeded and leads on @js", async ({ page, product }) => {
  await signIn(page, product);
  await page.context().clearCookies();
  await page.clock.install();
  await page.goto("/admin/logs");
  await expect(page).toHaveURL(/\/login\?redirectTo=/);
  await page.getByLabel("Email").fill("superadmin@example.com");
  await page.getByLabel("Password").fill(OWN_PASSWORD);
  await page.clock.pauseAt(Date.now() + 60_000);
  const release = await holdBack(page, "**/login.data*");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("button", { name: "Logging in..." })).toBeDisabled();
  await expect(page.getByLabel("Email")).toBeDisabled();
  await expect(page.getByLabel("Password")).toBeDisabled();
  release();
  await expect(page.getByText("Login successful!")).toBeVisible();
  // Written by an effect, as is the time until it leads on.
  await expect.poll(() => page.evaluate(() => localStorage.getItem("user"))).not.toBeNull();
  const kept = await page.evaluate(() => localStorage.getItem("user"));
  expect(JSON.parse(kept ?? "")).toEqual({
    email: "superadmin@example.com",
    role: "superadmin",
    fullName: expect.any(String),
  });
  // Pictures do not count: the browser fetches them when it likes.
  const visited: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/admin")) visited.push(pathname);
  });
  await page.clock.runFor(1499);
  // After this response, a page that the browser had wanted would have been asked for.
  await page.evaluate(() => fetch("/healthz"));
  expect(visited).toEqual([]);
  await page.clock.runFor(1);
  await expect(page).toHaveURL(/\/admin\/logs$/);
});

test("a login leads on to a document that is no screen @js", async ({ page, product }) => {
  await signIn(page, product);
  await page.context().clearCookies();
  await page.goto("/admin/automatic/thank-you/mail");
  await submitLogin(page, "superadmin@example.com", OWN_PASSWORD);
  await expect(page).toHaveURL(/\/admin\/automatic\/thank-you\/mail$/);
  await expect(page.getByText("thank you for signing up for early access")).toBeVisible();
});
