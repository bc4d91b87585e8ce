import { describe, expect, it } from "vitest";
import { startSmtpServer } from "../fakes/smtp-server";
import { useFixture } from "../fixture";
import { formPost } from "../server-process";
import { waitUntil } from "../wait-until";
import { getRedirect } from "./operators";
import { readText } from "./session";
import { useServer, useSuperadmin } from "./use-server";
import { readRows, submit } from "./visitors";

const smtp = useFixture(() => startSmtpServer());
const server = useServer(() => smtp.environment);
const superadmin = useSuperadmin(server);

const PAGE = "/admin/automatic/thank-you";
const ada = { name: "Ada Byron", email: "ada@example.com", company: "Engines" };

const emailsTo = (address: string) => smtp.emails.filter(({ to }) => to.includes(address));

async function expectEmail(address: string, count = 1) {
  await waitUntil(() => emailsTo(address).length >= count);
  return emailsTo(address).at(-1)!.parse();
}

const getStates = (kind: string) =>
  readRows(server, "select state, detail from transactional_emails where kind = ? order by id", kind).map(
    ({ state, detail }) => (state === "skipped" ? `skipped ${String(detail)}` : state),
  );

describe("an automatic email", () => {
  it("is off, then written, tried, turned on and sent once with a link to unsubscribe", async () => {
    expect(await superadmin.read("/admin/automatic")).toMatch(/Thank-you.*Off.*Welcome.*Off.*Receipt.*Off/s);
    await submit(server, "/early-access", { ...ada, email: "before@example.com" });
    const text = {
      intent: "save",
      base: "",
      subject: "Hello {{first_name|there}}",
      message: "You are **in**.\n\n{{unsubscribe_link}}",
      format: "markdown",
    };
    expect(getRedirect(await superadmin.post(PAGE, text))).toEqual([303, `${PAGE}?notice=automatic-saved`]);
    expect(await superadmin.read(`${PAGE}/mail`)).toContain("<strong>in</strong>");
    expect(getRedirect(await superadmin.post(PAGE, { intent: "test" }))).toEqual([
      303,
      `${PAGE}?notice=test-sent`,
    ]);
    expect((await expectEmail("superadmin@example.com")).subject).toBe("Hello Ada");
    expect(getRedirect(await superadmin.post(PAGE, { intent: "turn-on" }))).toEqual([
      303,
      `${PAGE}?notice=automatic-on`,
    ]);

    await submit(server, "/early-access", ada);
    await submit(server, "/early-access", { ...ada, company: "Other" });
    const email = await expectEmail("ada@example.com");
    expect(email.subject).toBe("Hello Ada");
    expect(JSON.stringify(email)).not.toContain("Engines");
    const list = email.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
    const [, path = ""] = /<https?:\/\/[^/]+([^>]+)>/.exec(list) ?? [];
    await waitUntil(() => getStates("thank-you").includes("sent"));
    expect(getStates("thank-you")).toEqual(["sent"]);
    expect(emailsTo("before@example.com")).toEqual([]);

    const history = await superadmin.read(PAGE);
    expect(history).toMatch(/1 sent\./);
    const [, sent = ""] = /href="(\/admin\/automatic\/sent\/[^"]+)"/.exec(history) ?? [];
    expect(await superadmin.read(sent)).toContain("<strong>in</strong>");

    const id = sent.split("/").at(-1) ?? "";
    const again = { intent: "resend", email: id, resend: "0192f3a4-5b6c-7d8e-9f00-112233445566" };
    for (let time = 0; time < 2; time += 1) {
      expect(getRedirect(await superadmin.post(PAGE, again))).toEqual([
        303,
        `${PAGE}?notice=automatic-email-resent`,
      ]);
    }
    await expectEmail("ada@example.com", 2);
    await waitUntil(() => getStates("thank-you").every((state) => state === "sent"));
    expect(getStates("thank-you")).toHaveLength(2);

    expect((await server.fetch(path, formPost({}))).status).toBe(200);
    const other = { ...again, resend: "0192f3a4-5b6c-7d8e-9f00-112233445567" };
    const refused = `${PAGE}?notice=automatic-email-suppressed`;
    expect(getRedirect(await superadmin.post(PAGE, other))).toEqual([303, refused]);
    expect(await superadmin.read(refused)).toContain("on the suppression list");
    expect(await superadmin.read("/admin/activity")).toContain("turned on the automatic email");
  });

  it("confirms its address, and is sent again from its person's page", async () => {
    await submit(server, "/early-access", { ...ada, email: "grace@example.com" });
    const email = await expectEmail("grace@example.com");
    const [, path = ""] = /https?:\/\/[^/\s]+(\/updates\/confirm\/\S+)/.exec(email.text ?? "") ?? [];
    expect(await readText(server.fetch(path))).toContain("Please confirm that it is yours.");
    const confirmed = await server.fetch(path, formPost({ intent: "confirm" }));
    expect(getRedirect(confirmed)).toEqual([303, `${path}?notice=confirmed`]);
    expect(await readText(server.fetch(`${path}?notice=confirmed`))).toContain("our emails reach you");
    const [person] = readRows(
      server,
      "select id, confirmed_at from people where email_key = 'grace@example.com'",
    );
    expect(person?.confirmed_at).not.toBeNull();

    const page = `/admin/people/${String(person?.id)}`;
    await waitUntil(() => getStates("thank-you").every((state) => state === "sent"));
    const html = await superadmin.read(page);
    expect(html).toContain("Thank-you email");
    expect(html).toContain("Hello {{first_name|there}}");
    const [, sent = ""] = /href="\/admin\/automatic\/sent\/([^"]+)"/.exec(html) ?? [];
    const again = await superadmin.post(page, { intent: "resend", email: sent, resend: "" });
    expect(getRedirect(again)).toEqual([303, `${page}?notice=automatic-email-resent`]);
    const second = await expectEmail("grace@example.com", 2);
    expect(second.text).not.toContain("/updates/confirm/");

    expect(await superadmin.read(page)).toContain('value="resend"');
    await superadmin.post(PAGE, { intent: "turn-off" });
    expect(await superadmin.read(page)).not.toContain('value="resend"');
    await superadmin.post(PAGE, { intent: "turn-on" });
  });

  it("has a history whose empty page links to the first one", async () => {
    const [first] = readRows(server, "select min(id) as id from transactional_emails");
    const html = await superadmin.read(`${PAGE}?before=${String(first?.id)}`);
    expect(html).toContain("No more results.");
    expect(html).toMatch(new RegExp(`href="${PAGE}"[^>]*>Show the first page`));
  });

  it("is refused with a field that nobody has, or that a stranger fills, and keeps what was typed", async () => {
    const save = (rule: string, message: string, base = "") =>
      superadmin.post(`/admin/automatic/${rule}`, {
        intent: "save",
        base,
        subject: "Mine <b>",
        message,
        format: "text",
      });
    const unknown = await readText(save("receipt", "Dear {{nmae}}"), 422);
    expect(unknown).toContain("{{nmae}} is not a field, so nothing was saved.");
    expect(unknown).toMatch(/<textarea[^>]*>Dear {{nmae}}/);
    expect(unknown).toContain('value="Mine &lt;b&gt;"');
    for (const field of ["company", "name", "role"]) {
      for (const rule of ["receipt", "thank-you"]) {
        expect(await readText(save(rule, `At {{${field}}}`), 422)).toContain(
          `{{${field}}} is not possible here`,
        );
      }
    }
    expect(await readText(save("receipt", "{{unsubscribe_link}}"), 422)).toContain("A receipt has no link");
    // Without JavaScript the form is sent to the page's URL, with the notice of what was saved before.
    const fields = { intent: "save", base: "", subject: "Mine", message: "{{nmae}}", format: "text" };
    const again = await readText(
      superadmin.post("/admin/automatic/receipt?notice=automatic-saved", fields),
      422,
    );
    expect(again).toContain("{{nmae}} is not a field");
    expect(again).not.toContain("Emails sent from now on have this text.");
    expect(getRedirect(await save("welcome", "Hello {{name}} of {{company|a company}}"))[0]).toBe(303);
    const late = await readText(save("welcome", "Mine"), 409);
    expect(late).toContain("superadmin@example.com saved another text in the meantime");
    expect(late).toMatch(/<textarea[^>]*>Mine/);
    const [, base = ""] = /name="base" value="([^"]+)"/.exec(late) ?? [];
    expect(getRedirect(await save("welcome", "Mine", base))[0]).toBe(303);
  });

  it("has no screen for another rule, nor without its email", async () => {
    expect(getRedirect(await superadmin.get("/admin/automatic/newsletter"))).toEqual([
      303,
      "/admin/automatic",
    ]);
    const gone = await superadmin.get("/admin/automatic/sent/0192f3a4-5b6c-7d8e-9f00-112233445566");
    expect(getRedirect(gone)).toEqual([303, "/admin/automatic?notice=automatic-email-gone"]);
  });
});
