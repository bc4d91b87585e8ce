import type { Fault } from "./fault.ts";

/** Faults in the services: rules, states, transactions. */
export const serviceFaults: Readonly<Record<string, Fault>> = {
  "a write is acknowledged although the database's file was moved meanwhile": {
    file: "app/db/sqlite.server.ts",
    find: `await super.commitTransaction(connection);
    this.#assertInPlace();`,
    replace: "await super.commitTransaction(connection);",
    tests: "tests/contracts/replaced-sqlite.test.ts",
  },
  "connections to a server that only reads are kept": {
    file: "app/db/connect-postgres.server.ts",
    find: "|25006|",
    replace: "|",
    tests: "tests/contracts/postgres-connections.test.ts",
  },
  "a sixth failed login on an account is verified": {
    file: "app/services/accounts/passwords.server.ts",
    find: "const PER_ACCOUNT = { allowed: 5,",
    replace: "const PER_ACCOUNT = { allowed: 6,",
    tests: "tests/contracts/accounts.test.ts",
  },
  "a session begins with a password that was replaced while it was verified": {
    file: "app/services/accounts/accounts.server.ts",
    find: `.where("password_hash", "=", verified.password_hash)`,
    tests: "tests/contracts/accounts.test.ts",
  },
  "a session is still valid at the moment its idle time ends": {
    file: "app/services/sessions/sessions.server.ts",
    find: "sessions.last_seen_at + ${sql.lit(IDLE_MS)} > ${now}",
    replace: "sessions.last_seen_at + ${sql.lit(IDLE_MS)} >= ${now}",
    tests: "tests/contracts/accounts.test.ts",
  },
  "anybody's session can be ended by its handle": {
    file: "app/services/sessions/sessions.server.ts",
    find: `.select(["id_hash", "user_agent", "network"])
        .where("account_id", "=", person.accountId)`,
    replace: `.select(["id_hash", "user_agent", "network"])`,
    tests: "tests/contracts/own-sessions.test.ts",
  },
  "any account may do what superadmins do": {
    file: "app/services/accounts/user-management.server.ts",
    find: `.where("role", "=", "superadmin")`,
    tests: "tests/contracts/user-management.test.ts",
  },
  "a new temporary password leaves the account's sessions open": {
    file: "app/services/accounts/user-management.server.ts",
    find: `await trx.updateTable("accounts").set(issued.stored).where("id", "=", account.id).execute();
  await endAccountSessions(trx, account.id);`,
    replace: `await trx.updateTable("accounts").set(issued.stored).where("id", "=", account.id).execute();`,
    tests: "tests/contracts/user-management.test.ts",
  },
  "a code can be used twice within its half minute": {
    file: "app/services/second-factor/codes.server.ts",
    find: `.where("last_step", "<", step)`,
    replace: `.where("last_step", "<=", step)`,
    tests: "tests/contracts/second-factor.test.ts",
  },
  "recovery codes are counted with the guessed codes, and whoever is guessed at is shut out": {
    file: "app/services/second-factor/codes.server.ts",
    find: "...(!isRecoveryCode && { [anywhere]: PER_ACCOUNT }),",
    replace: "[anywhere]: PER_ACCOUNT,",
    tests: "tests/contracts/second-factor.test.ts",
  },
  "the account of a long request is looked up only once": {
    file: "app/services/access/access.server.ts",
    find: "find(request).finally(() => pendingLookups.delete(context))",
    replace: "find(request)",
    tests: "tests/contracts/access.test.ts",
  },
  "a repeated form counts as new a millisecond too late": {
    file: "app/services/signups/signups.server.ts",
    find: "submission_fingerprints.seen_at + ${sql.lit(SAME_CONTENT_MS)} <= ${now}",
    replace: "submission_fingerprints.seen_at + ${sql.lit(SAME_CONTENT_MS)} < ${now}",
    tests: "tests/contracts/signups.test.ts",
  },
  "a form rejected by a rate limit counts as received when it is sent again": {
    file: "app/services/signups/signups.server.ts",
    find: `await trx.deleteFrom("submission_fingerprints").where("fingerprint", "=", fingerprint).execute();`,
    tests: "tests/contracts/signups.test.ts",
  },
  "a purged submission still counts as a duplicate": {
    file: "app/services/submissions/submission-states.server.ts",
    find: `await trx.deleteFrom("submission_fingerprints").where("submission_id", "in", ids).execute();`,
    tests: "tests/contracts/quarantine.test.ts",
  },
  "a confirmation link works a millisecond longer than two days": {
    file: "app/services/confirmations/confirmation-request.server.ts",
    find: "return now >= requested_at + LINK_LIFETIME_MS;",
    replace: "return now > requested_at + LINK_LIFETIME_MS;",
    tests: "tests/contracts/confirmations.test.ts",
  },
  "a confirmed person gets the newer email that had not been sent yet": {
    file: "app/services/confirmations/confirmations.server.ts",
    find: "await skipPendingEmail(trx, request.id);",
    tests: "tests/contracts/confirmations.test.ts",
  },
  "erasing an uncounted submission reduces the count of its day": {
    file: "app/services/submissions/submission-states.server.ts",
    find: `if (from === "accepted") await addToDays`,
    replace: "await addToDays",
    tests: "tests/contracts/people.test.ts",
    only: "is erased",
  },
  "the search stops after the newest documents": {
    file: "app/services/search/people-search.server.ts",
    find: "if (newest.length === limit) return newest;",
    replace: "if (newest.length > 0) return newest;",
    tests: "tests/contracts/people-search.test.ts",
  },
  "deleting removes quarantined submissions too": {
    file: "app/services/submissions/submission-states.server.ts",
    find: `.where("state", "=", from)`,
    tests: "tests/contracts/deletions.test.ts",
  },
  "a deletion can be undone at the moment its ten minutes end": {
    file: "app/services/submissions/deletions.server.ts",
    find: `.where("deleted_at", ">", since())`,
    replace: `.where("deleted_at", ">=", since())`,
    tests: "tests/contracts/deletions.test.ts",
  },
  "unsubscribing after a refusal is not recorded as an opt-out": {
    file: "app/services/suppressions/suppressions.server.ts",
    find: "added > 0 || (await optOut(trx, email_key))",
    replace: "added > 0",
    tests: "tests/contracts/outreach-unsubscribe.test.ts",
  },
  "people who opted out are released without a reason if one of the selection did not opt out": {
    file: "app/services/suppressions/suppression-list.server.ts",
    find: `reason === "" && rows.some(`,
    replace: `reason === "" && rows.every(`,
    tests: "tests/contracts/suppressions.test.ts",
  },
  "a repeated bounce report suppresses its address again": {
    file: "app/services/bounces/bounces.server.ts",
    find: "if (!isNew.has(id) || permanent === 0) continue;",
    replace: "if (permanent === 0) continue;",
    tests: "tests/contracts/bounces.test.ts",
  },
  "a bounce report signed for next year is accepted": {
    file: "app/services/bounces/bounces.server.ts",
    find: "Math.abs(now - Number(time) * 1000)",
    replace: "now - Number(time) * 1000",
    tests: "app/services/bounces/signature.test.ts",
  },
  "a campaign reaches people who joined after its confirmation page": {
    file: "app/services/outreach/confirm.server.ts",
    find: "Math.min(reviewed.through, end.position)",
    replace: "reviewed.through",
    tests: "tests/contracts/outreach-confirm.test.ts",
  },
  "a campaign's audience includes people who came back after its confirmation page": {
    file: "app/services/outreach/audience.server.ts",
    find: "selectAudience(trx, campaign.audience, campaign.audience_position)",
    replace: "selectAudience(trx, campaign.audience, Number.MAX_SAFE_INTEGER)",
    tests: "tests/contracts/outreach-confirm.test.ts",
  },
  "an instance records a late result of a job that another one has taken over": {
    file: "app/services/queue/leases.server.ts",
    find: "((state = 'claimed' and lease_owner = ${owner}) or",
    replace: "(state = 'claimed' or",
    tests: "tests/contracts/queue.test.ts",
  },
  "a job whose result is recorded frees two places": {
    file: "app/services/queue/queue.server.ts",
    find: "concurrency - held.size + recorded",
    replace: "concurrency - loop.inFlight + recorded",
    tests: "tests/contracts/queue.test.ts",
  },
  "an email that was not attempted is refunded to today, whatever day it was counted on": {
    file: "app/services/outreach/campaign-jobs.server.ts",
    find: "untried.map(({ row }) => row.updated_at)",
    replace: "untried.map(() => now)",
    tests: "tests/contracts/outreach-control.test.ts",
  },
  "a claim exceeds the day's allowance": {
    file: "app/services/outreach/campaign-jobs.server.ts",
    find: "limit: Math.min(limit, allowed)",
    replace: "limit: allowed > 0 ? limit : 0",
    tests: "tests/contracts/outreach-control.test.ts",
  },
  "an email that may have arrived is sent again after each crash": {
    file: "app/services/outreach/delivery-result.ts",
    find: "mayResend && row.resent_after_crash === 0",
    replace: "mayResend",
    tests: "tests/contracts/outreach-crash.test.ts",
  },
  "a clock that is set back removes tokens from the bucket": {
    file: "app/services/queue/token-bucket.ts",
    find: "Math.max(0, now - this.#filledAt)",
    replace: "now - this.#filledAt",
  },
  "the circuit opens with the twentieth refusal": {
    file: "app/services/broadcast/circuit.ts",
    find: "return refusals > MAX_REFUSALS;",
    replace: "return refusals >= MAX_REFUSALS;",
    tests: "tests/contracts/broadcast-answers.test.ts",
  },
  "a push message gets an eleventh attempt": {
    file: "app/services/broadcast/delivery-result.ts",
    find: "if (attempts >= MAX_ATTEMPTS)",
    replace: "if (attempts > MAX_ATTEMPTS)",
    tests: "tests/contracts/broadcast-answers.test.ts",
  },
  "a broadcast is sent to another number of devices than was shown": {
    file: "app/services/broadcast/broadcasts.server.ts",
    find: "devices !== expectedDevices",
    replace: "devices < expectedDevices",
    tests: "tests/contracts/broadcast.test.ts",
  },
  "the eleventh device replaces the newest": {
    file: "app/services/push/devices.server.ts",
    find: `.orderBy("last_seen_at", "desc")`,
    replace: `.orderBy("last_seen_at", "asc")`,
    tests: "tests/contracts/devices.test.ts",
  },
  "any host whose name ends like a push service's is accepted": {
    file: "app/services/push/push-hosts.ts",
    find: ".map((pattern) => pattern.slice(1))",
    replace: ".map((pattern) => pattern.slice(2))",
  },
  "a mirror row of a person erased while it is written counts as written": {
    file: "app/services/mirrors/mirror-rows.server.ts",
    find: "state = case state when 'writing' then 'written' else state end",
    replace: "state = 'written'",
    tests: "tests/contracts/mirrors.test.ts",
  },
  "deleted lines are still shown around a line": {
    file: "app/services/logs/drivers/database-log-store.server.ts",
    find: `.where("id", ">=", (eb) => eb.selectFrom("log_state").select("first_id"))`,
    tests: "tests/contracts/log-store.test.ts",
  },
  "an hour has one incident email more than the limit": {
    file: "app/services/resources/incidents.server.ts",
    find: "(await countRows(recent)) < MAX_EMAILS_PER_HOUR",
    replace: "(await countRows(recent)) <= MAX_EMAILS_PER_HOUR",
    tests: "tests/contracts/resource-incidents.test.ts",
  },
  "everybody can revoke everybody's tokens": {
    file: "app/services/api-tokens/api-tokens.server.ts",
    find: `.where("role", "=", "superadmin"),`,
    replace: ",",
    tests: "tests/contracts/api-tokens.test.ts",
  },
  "an Idempotency-Key reused for another email returns the first one's outcome": {
    file: "app/services/idempotency/idempotency.server.ts",
    find: `if (known.fingerprint !== fingerprint) return { kind: "other-request" };`,
    tests: "tests/contracts/api-email.test.ts",
  },
  "a rejection by the platform counts as an outage": {
    file: "app/services/platform/platform-client.server.ts",
    find: "if (status >= 500) this.#breaker.recordFailure();",
    replace: "if (status >= 400) this.#breaker.recordFailure();",
    tests: "tests/contracts/platform.test.ts",
  },
  "a modified backup file is restored": {
    file: "app/services/backups/restore-backup.server.ts",
    find: "if ((await hashFile(path)) !== sum) {",
    replace: "if ((await hashFile(path)).length !== sum.length) {",
    tests: "tests/contracts/restore.test.ts",
    only: "changes nothing",
  },
};
