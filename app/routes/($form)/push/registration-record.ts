import { days } from "~/lib/durations";
import { KEYS, store, stored } from "./push-permission";

/** A registration is made again after this (specification, section 9). */
export const REGISTRATION_MS = days(7);

/** What the server was told last, and when (epoch milliseconds). */
export interface RegistrationRecord {
  readonly token: string;
  readonly createdAt: number;
}

/** Whether the server has to be told again: it is another device by now, or long ago. */
export function isStale(record: RegistrationRecord | undefined, token: string, now: number): boolean {
  if (record?.token !== token) return true;
  // One of the future was made before the clock was set back.
  return now - record.createdAt >= REGISTRATION_MS || record.createdAt > now;
}

/** What is kept under the specification's keys; undefined unless it was made by this very visitor. */
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

/** Anybody can write into the storage. */
export function parseRecord(text: string | null): RegistrationRecord | undefined {
  try {
    const { token, createdAt } = JSON.parse(text ?? "") as Record<string, unknown>;
    return typeof token === "string" && typeof createdAt === "number" ? { token, createdAt } : undefined;
  } catch {
    return undefined;
  }
}
