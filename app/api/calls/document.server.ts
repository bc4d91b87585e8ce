import { createHash } from "node:crypto";
import { z } from "zod";
import { brand, status } from "~/services/container.server";
import { defineCall, type Call } from "../call.server";
import { publicAccess } from "../guards.server";
import { createDocument } from "../open-api";

/** Creates the call that returns the document of all calls, itself included. */
export function createDocumentCall(others: readonly Call[]): Call {
  let rendered: { json: string; etag: string } | undefined;

  /** Rendered once: the document does not change while the server runs. */
  const render = () => {
    const about = { title: `${brand.name} API`, version: status.version };
    const json = JSON.stringify(createDocument([...others, call], about));
    return { json, etag: `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"` };
  };

  const call: Call = defineCall({
    method: "GET",
    path: "/api/openapi.json",
    name: "getDocument",
    guard: publicAccess,
    summary: "Read this document",
    ok: z.looseObject({ openapi: z.string() }),
    work: async ({ request }) => {
      const { json, etag } = (rendered ??= render());
      const headers = {
        "Content-Type": "application/json",
        "Cache-Control": "public, max-age=300",
        ETag: etag,
      };
      const isKnown = request.headers.get("If-None-Match")?.includes(etag) ?? false;
      return isKnown ? new Response(null, { status: 304, headers }) : new Response(json, { headers });
    },
  });
  return call;
}
