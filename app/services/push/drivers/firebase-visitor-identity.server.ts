import { FirebaseError } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { seconds } from "~/lib/durations";
import { toOneLine } from "~/lib/one-line";
import { UpstreamError } from "~/lib/upstream-error";
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
    if (!hasClaims(idToken)) return undefined;
    try {
      const verified = await within(this.#timeoutMs, getAuth(this.#project.app).verifyIdToken(idToken));
      if (!verified) throw unavailable(`no answer within ${this.#timeoutMs} ms`);
      return verified.uid;
    } catch (error) {
      if (isTokenError(error)) return undefined;
      if (error instanceof FirebaseError && isCertificateError(error))
        throw unavailable(toOneLine(error.message), error);
      throw error;
    }
  }
}

/** For a token whose content is no JSON object firebase-admin throws whatever its parser does. */
function hasClaims(idToken: string): boolean {
  const [, content = ""] = idToken.split(".");
  try {
    const claims: unknown = JSON.parse(Buffer.from(content, "base64url").toString());
    return typeof claims === "object" && claims !== null;
  } catch {
    return false;
  }
}

function unavailable(detail: string, cause?: unknown): UpstreamError {
  // Whether it was handed over is not known, and nothing is sent twice here.
  const call = { service: "Google", operation: "fetch certificates", handedOver: true };
  return new UpstreamError({ ...call, detail, cause });
}

const isCertificateError = (error: FirebaseError) => NO_CERTIFICATES.test(error.message);

function isTokenError(error: unknown): boolean {
  if (!(error instanceof FirebaseError) || isCertificateError(error)) return false;
  return error.code === "auth/id-token-expired" || error.code === "auth/argument-error";
}
