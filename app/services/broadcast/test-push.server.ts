import { createAudit } from "~/services/audit/audit.server";
import type { Actor } from "~/services/audit/audit.server";
import { toPlainText } from "~/services/queue/job-type";
import type { PushSender } from "~/services/push/push-sender";
import type { ServiceDeps } from "~/services/service-deps";
import { toPushMessage } from "./message";
import type { Content } from "./message";

/** "unusable": the token is not of our engine. `reason`: the push service's reply. */
export type TestPush =
  { ok: true } | { ok: false; error: "unusable" } | { ok: false; error: "not-sent"; reason: string };

interface TestPushDeps extends ServiceDeps {
  readonly sender: Pick<PushSender, "readToken" | "send">;
}

/** Creates the function that sends one message to the operator's own browser, immediately and without a broadcast. */
export function createTestPush(deps: TestPushDeps) {
  const { database, sender, newId } = deps;
  const audit = createAudit(deps);
  /** @param token of the operator's own browser, which just registered. */
  return async (token: string, content: Content, actor: Actor): Promise<TestPush> => {
    const device = sender.readToken(token);
    if (!device) return { ok: false, error: "unusable" };
    const outcome = await sender.send(device, toPushMessage(newId(), content));
    const isAccepted = outcome.kind === "accepted";
    await database.write((trx) =>
      audit(trx, actor, { action: "send-test-push", subject: "", outcome: isAccepted ? "ok" : "failed" }),
    );
    if (isAccepted) return { ok: true };
    const status = "status" in outcome ? `${outcome.status} ` : "";
    return { ok: false, error: "not-sent", reason: toPlainText(status + outcome.detail) };
  };
}
