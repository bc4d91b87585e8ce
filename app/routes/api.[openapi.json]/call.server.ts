import { createHash } from "node:crypto";
import { z } from "zod";
import { defineCall } from "~/api/call.server";
import type { Call } from "~/api/call.server";
import { forEverybody } from "~/api/guards.server";
import { documentOf } from "~/api/open-api";
import { brand } from "~/brand";
import { status } from "~/services/container.server";
import { calls } from "./calls.server";

export const getDocument: Call = defineCall({
  ...{ method: "GET", path: "/api/openapi.json", name: "getDocument", guard: forEverybody },
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

let rendered: { json: string; etag: string } | undefined;

/** It does not change while the server runs. */
function render() {
  const about = { title: `${brand.name} API`, version: status.version };
  const json = JSON.stringify(documentOf([...calls, getDocument], about));
  return { json, etag: `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"` };
}
