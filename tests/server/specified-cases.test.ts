import SqliteFile from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { startSmtpServer } from "../fakes/smtp-server";
import { formPost, logIn, startServer } from "../server-process";
import { sharedServer } from "./shared-server";
import { databaseFile } from "./visitors";

it("a test email without a title has the default subject", async () => {
  const smtp = await startSmtpServer();
  const server = await startServer({ MAIL_DRIVER: "smtp", SMTP_URL: smtp.url });
  onTestFinished(async () => {
    await server.remove();
    await smtp.close();
  });
  const Cookie = await logIn(server);
  const draft = { intent: "test", audience: "early-access", title: "", message: "Hello" };
  const answer = await server.fetch(
    "/admin/dashboard",
    formPost({ ...draft, testAddress: "ada@example.com" }, { Cookie }),
  );
  expect(answer.status).toBe(303);
  const [email, ...more] = smtp.emails;
  expect(more).toEqual([]);
  expect(email?.raw.toString("latin1")).toMatch(/^Subject: Test Email from Confer\r$/m);
  expect(email?.raw.toString("latin1")).toMatch(/^From: The Confer team </m);
});

it("a notification that cannot be stored shows an error, and everything typed", async () => {
  const server = await sharedServer();
  const Cookie = await logIn(server);
  const html = await (await server.fetch("/admin/notifications", { headers: { Cookie } })).text();
  const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const file = new SqliteFile(databaseFile(server));
  file.exec("create trigger full before insert on broadcasts begin select raise(abort, 'no room'); end");
  file.close();
  const typed = { intent: "send", id, audience: "all", tenant: "", link: "", title: "News", body: "Come in" };
  const answer = await server.fetch("/admin/notifications", formPost(typed, { Cookie }));
  const page = await answer.text();
  expect([answer.status, page.includes("Failed to send notification")]).toEqual([503, true]);
  expect(page).toContain('value="News"');
  expect(page).toContain("Come in");
});
