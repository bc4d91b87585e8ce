/** Makes an error of a Google API (AIP-193). Gmail's errors also have `errors`. */
export function googleError(
  code: number,
  status: string,
  message = "Words of Google",
  reason?: string,
  metadata: Record<string, string> = {},
) {
  const type = "type.googleapis.com/google.rpc.ErrorInfo";
  const info = { "@type": type, reason, domain: "googleapis.com", metadata };
  return { status: code, body: { error: { code, message, status, ...(reason && { details: [info] }) } } };
}
export const gmailError = (code: number, reason: string, message = "Words of Gmail", status = "") => ({
  status: code,
  body: { error: { code, message, status, errors: [{ message, domain: "global", reason }] } },
});
export const oauthError = (error: string, error_description: string, status = 400) => ({
  status,
  body: { error, error_description },
});
