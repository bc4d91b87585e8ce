import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { newId } from "~/services/ids.server";
import {
  createUnsubscribeTokens,
  createUnsubscribing,
  isSuppressed,
  unsubscribe,
} from "~/services/suppressions/suppressions.server";
import { dialects } from "../databases";
import { createTestOutreach, signUp, suppress } from "../factories/outreach";
import { useDatabase } from "./use-database";

const network = { network: "203.0.113.0", requestId: "request-1" };

describe.each(dialects)("unsubscribing on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  async function mailed(address = "Ada@Example.com") {
    await signUp(database, [address]);
    const world = createTestOutreach(database);
    const campaignId = await world.confirmed();
    await world.dispatcher().tick();
    const [row] = await world.rows(campaignId);
    return { ...world, deliveryId: row!.id };
  }
  const suppressions = () => database.read.selectFrom("suppressions").selectAll().execute();

  it("takes an address off for good, at once, and again as often as it is asked (C20)", async () => {
    const { clock, deliveryId, outreach } = await mailed();
    const deps = { database, clock, newId };
    expect(await isSuppressed(database, "ada@example.com")).toBe(false);
    expect(await unsubscribe(deps, deliveryId)).toEqual({ ok: true, address: "Ada@Example.com" });
    const once = await suppressions();
    expect(once).toEqual([
      {
        id: expect.any(String),
        address: "Ada@Example.com",
        email_key: "ada@example.com",
        reason: "unsubscribed",
        detail: "",
        opted_out: 1,
        delivery_id: deliveryId,
        created_at: clock(),
      },
    ]);
    clock.forward(1000);
    expect(await unsubscribe(deps, deliveryId)).toEqual({ ok: true, address: "Ada@Example.com" });
    expect(await suppressions()).toEqual(once);
    expect(await isSuppressed(database, " ADA@example.com")).toBe(true);
    expect(await outreach.previewAudience("early-access")).toMatchObject({ total: 1, mailable: 0 });
  });

  it("knows no link of a mail that was never made", async () => {
    expect(await unsubscribe({ database, newId, clock: () => 1 }, newId())).toEqual({
      ok: false,
      error: "unknown-link",
    });
    expect(await suppressions()).toEqual([]);
  });

  it("is remembered of an address that was refused before, which stays refused", async () => {
    const { clock, deliveryId } = await mailed();
    await suppress(database, "ada@example.com", "refused");
    expect(await unsubscribe({ database, clock, newId }, deliveryId)).toMatchObject({ ok: true });
    expect(await suppressions()).toMatchObject([{ reason: "refused", opted_out: 1 }]);
  });

  it("acts on the token of its link and on no other, and is in the audit once", async () => {
    const { clock, deliveryId } = await mailed();
    const tokens = createUnsubscribeTokens("a secret of the tests");
    const unsubscribing = createUnsubscribing({ database, tokens, clock, newId });
    const forged = createUnsubscribeTokens("another secret").tokenFor(deliveryId);
    expect(unsubscribing.isKnownToken(forged)).toBe(false);
    expect(await unsubscribing.unsubscribe(forged, network)).toEqual({ ok: false, error: "unknown-link" });
    const token = tokens.tokenFor(deliveryId);
    expect(unsubscribing.isKnownToken(token)).toBe(true);
    for (let time = 0; time < 2; time += 1) {
      expect(await unsubscribing.unsubscribe(token, network)).toEqual({
        ok: true,
        address: "Ada@Example.com",
      });
    }
    const audit = await database.read
      .selectFrom("audit")
      .selectAll()
      .where("action", "=", "unsubscribe")
      .execute();
    expect(audit).toMatchObject([
      { actor: "visitor", subject: "Ada@Example.com", outcome: "ok", network: "203.0.113.0" },
    ]);
  });
});
