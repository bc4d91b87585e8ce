import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "~/db/database.server";
import { BusyError } from "~/lib/busy-error";
import type { PasswordHasher } from "~/services/accounts/password-hasher";
import type { LogSource } from "~/services/logs/log-store";
import type { Mailer } from "~/services/mail/mailer";
import type { PushSender } from "~/services/push/push-sender";
import type { VisitorIdentity } from "~/services/push/visitor-identity";
import type { Resources } from "~/services/resources/resources.server";
import type { TenantDirectory } from "~/services/tenants/tenant-directory";
import type { ServerBridge } from "../../../server/bridge";
import type { Dependency } from "../../../server/load/dependency-waits";

/**
 * Runs work that waits for a dependency. Meanwhile the request it belongs to holds no place in the concurrency
 * limiter (docs/decisions/0013). Work outside of a request, or within another wait, only runs.
 * @throws BusyError when too many requests wait for the dependency already; the work has not begun then.
 */
export type WaitFor = <Result>(dependency: Dependency, work: () => Promise<Result>) => Promise<Result>;

/** @param bridge its request context gives places back. */
export function createWaitFor(bridge: Pick<ServerBridge, "current">): WaitFor {
  const waits = new AsyncLocalStorage<true>();
  return async (dependency, work) => {
    const context = waits.getStore() ? undefined : bridge.current();
    if (!context) return work();
    const endWait = context.startWait(dependency);
    if (!endWait) throw new BusyError(dependency);
    try {
      return await waits.run(true, work);
    } finally {
      await endWait();
    }
  };
}

/* One function for each dependency. Where a contract has a result for "too many", that is returned; elsewhere BusyError is thrown. */

export const waitingDatabase = (database: Database, waitFor: WaitFor): Database => ({
  ...database,
  write: (work) => waitFor("database", () => database.write(work)),
});

export const waitingHasher = (hasher: PasswordHasher, waitFor: WaitFor): PasswordHasher => ({
  hash: (password) => waitFor("passwords", () => hasher.hash(password)),
  verify: (...input) =>
    waitFor("passwords", () => hasher.verify(...input)).catch(ifBusy(() => "busy" as const)),
});

export const waitingMailer = (mailer: Mailer, waitFor: WaitFor): Mailer => ({
  name: mailer.name,
  send: (email) =>
    waitFor("mail-server", () => mailer.send(email)).catch(
      ifBusy(({ message }) => ({ kind: "unreachable" as const, detail: message })),
    ),
  knows: (messageId) => mailer.knows(messageId),
  close: () => mailer.close(),
});

export const waitingPushSender = (sender: PushSender, waitFor: WaitFor): PushSender => ({
  name: sender.name,
  settings: sender.settings,
  readToken: (token) => sender.readToken(token),
  send: (device, message) =>
    waitFor("push-service", () => sender.send(device, message)).catch(
      ifBusy((error) => ({ kind: "unreachable" as const, detail: error.message })),
    ),
  close: () => sender.close(),
});

export const waitingIdentity = (identity: VisitorIdentity, waitFor: WaitFor): VisitorIdentity => ({
  verify: (idToken) => waitFor("visitor-identity", () => identity.verify(idToken)),
});

export const waitingResources = (resources: Resources, waitFor: WaitFor): Resources => ({
  ...resources,
  latest: () => waitFor("resources", () => resources.latest()),
  check: () => waitFor("resources", () => resources.check()),
});

/** For a directory that asks the platform. When several callers share one call to it, each of them counts as a wait. */
export const waitingTenants = (tenants: TenantDirectory, waitFor: WaitFor): TenantDirectory => ({
  list: () => waitFor("platform", () => tenants.list()),
});

/** For a log of the platform. */
export const waitingLogs = (source: LogSource, waitFor: WaitFor): LogSource => ({
  page: (...input) => waitFor("platform", () => source.page(...input)),
  around: (...input) => waitFor("platform", () => source.around(...input)),
  counts: (...input) => waitFor("platform", () => source.counts(...input)),
  hours: (...input) => waitFor("platform", () => source.hours(...input)),
  outOfReach: () => waitFor("platform", () => source.outOfReach()),
  deleteAll: (record) => waitFor("platform", () => source.deleteAll(record)),
});

/** Creates a handler of rejections that turns a BusyError into what the wrapped contract knows. */
function ifBusy<Result>(toResult: (error: BusyError) => Result) {
  return (error: unknown): Result => {
    if (error instanceof BusyError) return toResult(error);
    throw error;
  };
}
