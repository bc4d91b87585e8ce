import { days } from "~/lib/durations";
import { KEYS, writeStored, readStored } from "./push-permission";

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
export function findRegistration(userId: string): RegistrationRecord | undefined {
  if (readStored(KEYS.initialized) !== "true" || readStored(KEYS.userId) !== userId) return undefined;
  return parseRecord(readStored(KEYS.registration));
}

export function keepRegistration(userId: string, record: RegistrationRecord): void {
  writeStored(KEYS.userId, userId);
  writeStored(KEYS.registration, JSON.stringify(record));
  writeStored(KEYS.initialized, "true");
}

export function forgetRegistration(): void {
  for (const key of [KEYS.initialized, KEYS.userId, KEYS.registration]) writeStored(key, null);
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
