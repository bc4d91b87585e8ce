import { expect, test } from "./product";

test("a browser that cannot even ask for push messages says so, and can be asked again @js", async ({
  context,
}) => {
  const page = await context.newPage();
  const logged: string[] = [];
  page.on("pageerror", (error) => logged.push(error.message));
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = () => Promise.reject(new Error("It could not ask"));
  });
  await page.goto("/");
  const enable = page.getByRole("button", { name: "Enable Notifications" });
  const said: string[] = [];
  page.on("dialog", (dialog) => {
    said.push(dialog.message());
    return dialog.dismiss();
  });
  await enable.click();
  await expect.poll(() => said).toEqual(["Failed to enable notifications. Please try again."]);
  await expect(enable).toBeEnabled();
  expect(logged).toEqual(["It could not ask"]);
});
