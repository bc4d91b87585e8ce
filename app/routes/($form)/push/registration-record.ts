import { days } from "~/lib/durations";
import { KEYS, store, stored } from "./push-permission";

/** Age at which a registration is renewed (specification, section 9). */
export const REGISTRATION_MS = days(7);

/** The last registration sent to the server, and when (epoch milliseconds). */
export interface RegistrationRecord {
  readonly token: string;
  readonly createdAt: number;
}

/** Returns whether the device must be registered again: its token changed, or the record is too old. */
export function isStale(record: RegistrationRecord | undefined, token: string, now: number): boolean {
  if (record?.token !== token) return true;
  // A record from the future was made before the clock was set back.
  return now - record.createdAt >= REGISTRATION_MS || record.createdAt > now;
}

/** Reads the record under the specification's keys; undefined unless it belongs to this visitor. */
export function registrationOf(userId: string): RegistrationRecord | undefined {
  if (stored(KEYS.initialized) !== "true" || stored(KEYS.userId) !== userId) return undefined;
  return parseRecord(stored(KEYS.registration));
}

export function keepRegistration(userId: string, record: RegistrationRecord): void {
  store(KEYS.userId, userId);
  store(KEYS.registration, JSON.stringify(record));
  store(KEYS.initialized, "true");
}

export function forgetRegistration(): void {
  for (const key of [KEYS.initialized, KEYS.userId, KEYS.registration]) store(key, null);
}

/** Parses untrusted storage: any script of the page's origin can write there. */
export function parseRecord(text: string | null): RegistrationRecord | undefined {
  try {
    const { token, createdAt } = JSON.parse(text ?? "") as Record<string, unknown>;
    return typeof token === "string" && typeof createdAt === "number" ? { token, createdAt } : undefined;
  } catch {
    return undefined;
  }
}
