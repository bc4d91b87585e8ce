import { expect, it } from "vitest";
import { newId } from "~/services/service-deps";
import {
  createUnsubscribeTokens,
  createUnsubscribing,
  isSuppressed,
  unsubscribe,
} from "~/services/suppressions/suppressions.server";
import { readAudit } from "../factories/accounts";
import { createTestCampaign, suppress } from "../factories/outreach";
import { describeOnDatabases } from "./use-database";

const ORIGIN = { network: "203.0.113.0", requestId: "request-1" };
const UNSUBSCRIBED = { ok: true, address: "Ada@Example.com" };
const UNKNOWN_LINK = { ok: false, error: "unknown-link" };

describeOnDatabases("unsubscribing on %s", ({ database }) => {
  async function sendToAda() {
    const { clock, tick, outreach, rows } = await createTestCampaign(database, ["Ada@Example.com"]);
    await tick();
    const [row] = await rows();
    return { clock, outreach, deliveryId: row!.id };
  }
  const listSuppressions = () => database.read.selectFrom("suppressions").selectAll().execute();

  // C20
  it("suppresses the address for good at once, however often it is requested", async () => {
    const { clock, deliveryId, outreach } = await sendToAda();
    const deps = { database, clock, newId };
    expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    expect(await unsubscribe(deps, deliveryId)).toEqual(UNSUBSCRIBED);
    const once = await listSuppressions();
    const keys = { address: "Ada@Example.com", email_key: "ada@example.com", delivery_id: deliveryId };
    expect(once).toMatchObject([{ ...keys, reason: "unsubscribed", opted_out: 1, created_at: clock() }]);
    clock.forward(1000);
    expect(await unsubscribe(deps, deliveryId)).toEqual(UNSUBSCRIBED);
    expect(await listSuppressions()).toEqual(once);
    expect(await isSuppressed(database, " ADA@example.com")).toBe(true);
    expect(await outreach.previewAudience({ audience: "early-access" })).toMatchObject({
      total: 1,
      mailable: 0,
    });
  });

  it("refuses the link of an email that does not exist", async () => {
    expect(await unsubscribe({ database, newId, clock: () => 1 }, newId())).toEqual(UNKNOWN_LINK);
    expect(await listSuppressions()).toEqual([]);
  });

  it("is recorded for an address that was refused before, which stays refused", async () => {
    const { clock, deliveryId } = await sendToAda();
    await suppress(database, "ada@example.com", "refused");
    expect(await unsubscribe({ database, clock, newId }, deliveryId)).toMatchObject({ ok: true });
    expect(await listSuppressions()).toMatchObject([{ reason: "refused", opted_out: 1 }]);
  });

  it("accepts only the token of its link, and is audited once", async () => {
    const { clock, deliveryId } = await sendToAda();
    const tokens = createUnsubscribeTokens("a secret of the tests");
    const unsubscribing = createUnsubscribing({ database, tokens, clock, newId });
    const forged = createUnsubscribeTokens("another secret").createToken(deliveryId);
    expect(unsubscribing.isKnownToken(forged)).toBe(false);
    expect(await unsubscribing.unsubscribe(forged, ORIGIN)).toEqual(UNKNOWN_LINK);
    const token = tokens.createToken(deliveryId);
    expect(unsubscribing.isKnownToken(token)).toBe(true);
    for (let time = 0; time < 2; time += 1) {
      expect(await unsubscribing.unsubscribe(token, ORIGIN)).toEqual(UNSUBSCRIBED);
    }
    const entries = await readAudit(database);
    expect(entries.filter(({ action }) => action === "unsubscribe")).toMatchObject([
      { actor: "visitor", subject: "Ada@Example.com", outcome: "ok", network: "203.0.113.0" },
    ]);
  });
});
