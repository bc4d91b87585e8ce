import { brand } from "../factories/brand";
import { composeOutreachEmails } from "~/emails/compose";
import type { Email } from "~/services/mail/mailer";
import { newId } from "~/services/service-deps";
import { testDatabase } from "../databases";
import { withDatabase } from "../faults/ledger";
import { prepareCampaign, EMAIL_CONTENT, pageText, progressPage } from "../faults/operator";
import { addSubscribers } from "../faults/subscribers";
import { logIn, startServer } from "../server-process";
import type { sendByPool } from "./bare-pool";
import { startHelper } from "./helper-process";
import { compare, toMeasured, toSide, type Comparison } from "./rounds";
import type { awaitEmails } from "./smtp-sink";

const RECIPIENTS = 3000;
const CONNECTIONS = 10;
const ROUNDS = { warmUps: 1, rounds: 6, aim: 1 };

/** Measures from the click on "Yes, Send Email" to the last email at the mail server. */
export async function compareEmails(): Promise<Comparison> {
  const database = await testDatabase("sqlite");
  const sink = startHelper<typeof awaitEmails>("./smtp-sink.ts");
  const pool = startHelper<typeof sendByPool>("./bare-pool.ts");
  const { url } = await sink.call(0);
  const addresses = await withDatabase(database, (opened) => addSubscribers(opened, RECIPIENTS));
  const server = await startServer({
    ...database.environment,
    MAIL_DRIVER: "smtp",
    SMTP_URL: url,
    MAIL_CONCURRENCY: String(CONNECTIONS),
  });
  const cookie = await logIn(server);
  let arrived = 0;
  const awaitLastEmail = async () => {
    arrived += RECIPIENTS;
    const { at, count } = await sink.call(arrived);
    if (count !== arrived) throw new Error(`${count} emails arrived, not ${arrived}`);
    return at;
  };

  const compared = await compare(
    `Emails a second: ${RECIPIENTS} recipients, ${CONNECTIONS} connections, click to last email`,
    toSide("the product", server, async () => {
      const confirm = await prepareCampaign(server, cookie);
      const ended = awaitLastEmail();
      const began = Date.now();
      const campaignId = await confirm();
      const measured = toMeasured(RECIPIENTS, (await ended) - began);
      while (
        !(await pageText(server, cookie, progressPage(campaignId))).includes("Emails sent successfully")
      );
      return measured;
    }),
    toSide("a bare nodemailer pool", pool, async () => {
      const emails = addresses.map(composeBareEmail);
      const ended = awaitLastEmail();
      const { began } = await pool.call({ url, connections: CONNECTIONS, emails });
      return toMeasured(RECIPIENTS, (await ended) - began);
    }),
    ROUNDS,
  );
  await server.remove();
  await Promise.all([sink.stop(), pool.stop()]);
  await database.remove();
  return compared;
}

/** Composes the product's email for this recipient, before the measurement. */
function composeBareEmail(address: string, index: number): Email {
  return composeOutreachEmails({ ...EMAIL_CONTENT, format: "text", brandName: brand.name })({
    recipient: { name: `Person ${index + 1}`, company: "", role: "", address },
    sender: { name: brand.senderLabel, address: "hello@example.com" },
    messageId: `<${newId()}@example.com>`,
    unsubscribeUrl: `http://localhost:3000/unsubscribe/${newId()}.${"a".repeat(22)}`,
  });
}
