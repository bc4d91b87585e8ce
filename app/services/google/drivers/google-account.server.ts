import { JWT, OAuth2Client } from "google-auth-library";
import { type GoogleCredential, GOOGLE_SCOPES, type GoogleUse } from "../google-credential.server";
import type { GoogleTransport } from "./google-transport.server";

/** A Google credential with its API client. */
export interface GoogleAccount {
  readonly credential: GoogleCredential;
  /** `auth` option of Google's generated clients. */
  readonly client: OAuth2Client;
  close(): void;
}

/** Opens an account; sends no request before it is used. Closing it closes the transport. */
export function openGoogleAccount(
  credential: GoogleCredential,
  use: GoogleUse,
  transport: GoogleTransport,
): GoogleAccount {
  const client = createClient(credential, GOOGLE_SCOPES[use], transport);
  // The library would retry after 429, 5xx and lost requests; retrying is the caller's responsibility.
  client.transporter.interceptors.request.add({
    resolved: async (request) => Object.assign(request, { retry: false, retryConfig: { retry: 0 } }),
  });
  return { credential, client, close: transport.close };
}

function createClient(
  credential: GoogleCredential,
  scope: string,
  { fetch: fetchImplementation }: GoogleTransport,
): OAuth2Client {
  const transporterOptions = { fetchImplementation };
  switch (credential.kind) {
    case "api-key":
      // Sent in a header, because URLs end up in logs.
      return new OAuth2Client({ apiKey: credential.key, transporterOptions });
    case "login": {
      const { clientId, clientSecret, refreshToken } = credential;
      const client = new OAuth2Client({ clientId, clientSecret, transporterOptions });
      client.setCredentials({ refresh_token: refreshToken });
      return client;
    }
    case "service-account": {
      const { address: email, privateKey: key, subject } = credential;
      return new JWT({ email, key, scopes: [scope], ...(subject && { subject }), transporterOptions });
    }
  }
}
