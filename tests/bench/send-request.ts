import { request, type RequestOptions } from "node:http";

/**
 * Sends a request to 127.0.0.1 and reads the response to its end. A body is a form unless the headers have another
 * type. Never throws.
 * @returns the status, or the network's error code.
 */
export function sendRequest(
  { headers, ...options }: RequestOptions & { port: number; path: string },
  body?: string,
): Promise<{ status: number | string; location?: string | undefined }> {
  const bodyHeaders = body !== undefined && {
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
    "Sec-Fetch-Site": "same-origin",
  };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.name });
    request(
      { host: "127.0.0.1", method, headers: { ...bodyHeaders, ...headers }, ...options },
      (response) => {
        const { statusCode: status = 0 } = response;
        response
          .once("error", fail)
          .once("end", () => resolve({ status, location: response.headers.location }));
        response.resume();
      },
    )
      .once("error", fail)
      .end(body);
  });
}
