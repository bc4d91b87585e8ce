import { describe, expect, it } from "vitest";
import type { Database } from "~/db/database.server";
import { hours, seconds } from "~/lib/durations";
import { dialects } from "../databases";
import { createTestConfirmations, visitor } from "../factories/confirmations";
import { useDatabase } from "./use-database";

describe.each(dialects)("signups that wait for a confirmation on %s", (dialect) => {
  let database: Database;
  useDatabase(dialect, (opened) => (database = opened));

  describe("a link", () => {
    it("works until two days are over and not a millisecond longer", async () => {
      const { signUp, send, confirmations, clock, link, counts } = createTestConfirmations(database);
      await signUp();
      await send();
      clock.forward(hours(48) - 1);
      expect(await confirmations.getLinkState(link())).toBe("open");
      clock.forward(1);
      expect(await confirmations.getLinkState(link())).toBe("expired");
      expect(await confirmations.confirm(link(), visitor)).toBe("expired");
      expect(await counts()).toEqual({ unconfirmed: 1 });
    });

    it("confirms to its last millisecond", async () => {
      const { signUp, send, confirmations, clock, link } = createTestConfirmations(database);
      await signUp();
      await send();
      clock.forward(hours(48) - 1);
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
    });

    it("changes nothing when it is looked at, and works once", async () => {
      const { signUp, send, confirmations, link, counts } = createTestConfirmations(database);
      await signUp();
      await send();
      for (let time = 0; time < 2; time += 1) expect(await confirmations.getLinkState(link())).toBe("open");
      expect(await counts()).toEqual({ unconfirmed: 1 });
      const clicks = await Promise.all([1, 2, 3].map(() => confirmations.confirm(link(), visitor)));
      expect(clicks.toSorted()).toEqual(["confirmed", "confirmed", "open"]);
      expect(await confirmations.getLinkState(link())).toBe("confirmed");
      expect(await counts()).toEqual({ accepted: 1 });
    });

    it("accepts every signup of its address, those of no other, and makes the earlier link useless", async () => {
      const { signUp, send, confirmations, clock, link, mailer, counts } = createTestConfirmations(database);
      await signUp("ada@example.com", "Adda Byron");
      await signUp("grace@example.com");
      await send();
      clock.forward(hours(1));
      await signUp("ada@example.com", "Ada Byron");
      await send();
      const [first, , second] = mailer.received.map((mail) => link(mail));
      expect(await confirmations.getLinkState(first ?? "")).toBe("open");
      expect(await confirmations.confirm(second ?? "", visitor)).toBe("open");
      expect(await counts()).toEqual({ accepted: 2, unconfirmed: 1 });
      expect(await confirmations.confirm(first ?? "", visitor)).toBe("confirmed");
    });

    it("of an earlier mail still confirms, and the mail that has not gone yet does not go", async () => {
      const { signUp, send, confirmations, clock, link, mailer } = createTestConfirmations(database);
      await signUp();
      await send();
      clock.forward(hours(1));
      await signUp();
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      await send();
      expect(mailer.received).toHaveLength(1);
    });

    it.each(["", "x", "0192f3a4-5b6c-7d8e-9f00-112233445566_abc.AAAAAAAAAAAAAAAAAAAAAA", "\0"])(
      "that is not ours, %j, is unknown",
      async (token) => {
        const { confirmations } = createTestConfirmations(database);
        expect(await confirmations.getLinkState(token)).toBe("unknown");
        expect(await confirmations.confirm(token, visitor)).toBe("unknown");
        expect(await confirmations.sendNewLink(token)).toEqual({ ok: false, error: "unknown" });
      },
    );

    it("that expired brings a new one by mail, once an hour", async () => {
      const { signUp, send, confirmations, clock, link, mailer, wakes } = createTestConfirmations(database);
      await signUp("Ada@Example.com");
      await send();
      const old = link();
      clock.forward(hours(48));
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      expect(wakes()).toBe(2);
      await send();
      expect(mailer.recipients).toEqual(["Ada@Example.com", "Ada@Example.com"]);
      clock.forward(hours(1) - seconds(1));
      expect(await confirmations.sendNewLink(old)).toEqual({
        ok: false,
        error: "limited",
        retryAfterSeconds: 1,
      });
      clock.forward(seconds(1));
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: true });
      await send();
      expect(mailer.received).toHaveLength(3);
      expect(await confirmations.getLinkState(old)).toBe("expired");
      expect(await confirmations.confirm(link(), visitor)).toBe("open");
      expect(await confirmations.sendNewLink(old)).toEqual({ ok: false, error: "confirmed" });
    });
  });
});
