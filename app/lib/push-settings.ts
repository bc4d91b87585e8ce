export type PushSettings = WebPushSettings | FcmSettings;

export interface WebPushSettings {
  readonly engine: "webpush";
  /** VAPID public key (RFC 8292), base64url. */
  readonly publicKey: string;
}

/** Web app at Firebase, as its console shows it. The API key names the project and grants no access by itself. */
export interface FcmSettings {
  readonly engine: "fcm";
  /** VAPID public key of Firebase's own, base64url. */
  readonly publicKey: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly appId: string;
  readonly senderId: string;
  /** Id for Google Analytics, which visitors may allow; without it there is no analytics. */
  readonly measurementId?: string | undefined;
}
