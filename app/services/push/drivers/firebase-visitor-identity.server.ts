import { FirebaseError } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { seconds } from "~/lib/durations";
import { within } from "~/lib/within";
import type { VisitorIdentity } from "../visitor-identity";
import type { FirebaseProject } from "./firebase-project.server";

/** Includes fetching Google's certificates, which are cached for some hours. */
const TIMEOUT_MS = seconds(10);
/** Message of firebase-admin when it cannot fetch them; its code is that of a forged token. */
const NO_CERTIFICATES = /^Error (?:while making request|fetching public keys)/;

/** Verifies visitors signed in by Firebase on the page: every user of the project may register devices. */
export class FirebaseVisitorIdentity implements VisitorIdentity {
  readonly #project: FirebaseProject;
  readonly #timeoutMs: number;

  constructor(project: FirebaseProject, timeoutMs = TIMEOUT_MS) {
    this.#project = project;
    this.#timeoutMs = timeoutMs;
  }

  async verify(idToken: string): Promise<string | undefined> {
    try {
      const verified = await within(this.#timeoutMs, getAuth(this.#project.app).verifyIdToken(idToken));
      if (!verified) throw new Error("Google's certificates took too long");
      return verified.uid;
    } catch (error) {
      if (isTokenError(error)) return undefined;
      throw error;
    }
  }
}

function isTokenError(error: unknown): boolean {
  if (!(error instanceof FirebaseError) || NO_CERTIFICATES.test(error.message)) return false;
  return error.code === "auth/id-token-expired" || error.code === "auth/argument-error";
}
