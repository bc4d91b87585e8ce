import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { unsubscribeMessages } from "~/content/unsubscribe";
import { minutes } from "~/lib/durations";
import {
  createConfirmationTokens,
  type ConfirmationRequest,
} from "~/services/confirmations/confirmation-request.server";
import { createFormStamps } from "~/services/signups/form-stamp.server";
import { createUnsubscribeTokens } from "~/services/suppressions/suppressions.server";
import { removeAfterTest } from "../fixture";
import { formPost, startServer } from "../server-process";
import { freshStamp, readRows, signUp, submit } from "./visitors";

const OLD = "the secret that signed the emails already sent";
const NEW = "the secret that signs from now on, as the old one leaked";

it("what the previous FORM_SECRET signed is valid until it is removed", async () => {
  const server = removeAfterTest(await startServer({ FORM_SECRET: OLD, DOUBLE_OPT_IN: "on" }));
  await submit(server, "/updates", { stamp: createStamp(OLD) });
  const [request] = readRows(server, "select id, requested_at from confirmations");
  const links = [
    `/unsubscribe/${createUnsubscribeTokens(OLD).createToken(randomUUID())}`,
    `/updates/confirm/${createConfirmationTokens(OLD).createToken(request as unknown as ConfirmationRequest)}`,
  ];
  const openLinks = () => Promise.all(links.map(async (link) => (await server.fetch(link)).status));
  let people = 0;
  const getStateOfSignup = async () => {
    const email = `grace-${++people}@example.com`;
    await signUp(server, { stamp: createStamp(OLD), email });
    return readRows(server, "select state from submissions where email_key = ?", email)[0]?.state;
  };
  expect(await openLinks()).toEqual([200, 200]);

  await server.restart({ FORM_SECRET: NEW, FORM_SECRET_PREVIOUS: OLD });
  expect(await openLinks()).toEqual([200, 200]);
  expect(await getStateOfSignup()).toBe("accepted");
  const created = await freshStamp(server);
  expect(createFormStamps(NEW).verify(created, Date.now() + minutes(1))).toBe("ok");

  await server.restart({ FORM_SECRET: NEW, FORM_SECRET_PREVIOUS: "" });
  expect(await openLinks()).toEqual([404, 404]);
  expect(await getStateOfSignup()).toBe("quarantined");
});

it("a good link to unsubscribe from an email that is not there says so, and does not ask again", async () => {
  const server = removeAfterTest(await startServer({ FORM_SECRET: OLD }));
  const link = `/unsubscribe/${createUnsubscribeTokens(OLD).createToken(randomUUID())}`;
  const answer = await server.fetch(link, formPost({}));
  expect(answer.status).toBe(404);
  const page = await answer.text();
  expect(page).toContain(unsubscribeMessages.unknownEmail);
  expect(page).not.toContain("<button");
});

const createStamp = (secret: string) => createFormStamps(secret).create(Date.now() - minutes(1));
