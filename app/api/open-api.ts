import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { PROBLEM_TYPE } from "~/lib/problem";
import { SECURITY_SCHEMES, type Call } from "./call.server";
import { problems, type ProblemCode } from "./problem.server";

type Json = Readonly<Record<string, unknown>>;

/** Creates the OpenAPI 3.1 document of these calls. Pure: the same calls give the same document. */
export function createDocument(calls: readonly Call[], about: { title: string; version: string }): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const call of calls) (paths[call.path] ??= {})[call.method.toLowerCase()] = toOperation(call);
  return {
    openapi: "3.1.1",
    info: {
      ...about,
      description:
        "JSON over HTTPS. Every response that is not 2xx is a problem (RFC 9457); programs rely on its `code`, the rest is for people.",
    },
    servers: [{ url: "/" }],
    paths,
    components: { schemas: { Problem: problemSchema }, securitySchemes: SECURITY_SCHEMES },
    "x-problems": Object.fromEntries(
      Object.entries(problems).map(([code, [status, title]]) => [code, { status, title }]),
    ),
  };
}

const text = (description: string) => ({ type: "string", description });

const problemSchema = {
  type: "object",
  required: ["type", "title", "message", "status", "instance", "code"],
  properties: {
    type: text("A URI that identifies the code and links to its description."),
    title: text("A sentence about the code."),
    message: text("Same as the title."),
    status: { type: "integer", description: "The HTTP status." },
    instance: text("Identifies this response: the id in X-Request-Id, as found in the server's log."),
    code: text("For programs to rely on."),
    detail: text("Details of this occurrence, such as the mail server's response."),
    fields: {
      type: "object",
      description: "The error of each field; that of `body` where the body is no object.",
      additionalProperties: { type: "string" },
    },
  },
};

function toOperation(call: Call): Json {
  const { security } = call.guard;
  const parameters = toParameters(call);
  const body = call.body ?? call.signedBody;
  return {
    operationId: call.name,
    tags: [call.path.split("/")[2]],
    summary: call.summary,
    ...(call.description === undefined ? {} : { description: call.description }),
    security: security ? [{ [security.scheme]: security.scopes }] : [],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: json(toJsonSchema(body, "input"), call.examples?.body) } }
      : {}),
    responses: toResponses(call),
  };
}

function toParameters({ params = {}, query, isKeyed }: Call): Json[] {
  const inPath = Object.entries(params).map(([name, description]) => ({
    name,
    in: "path",
    required: true,
    description,
    schema: { type: "string" },
  }));
  const querySchema = query ? toJsonSchema(query, "input") : {};
  const inQuery = Object.entries((querySchema.properties ?? {}) as Json).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
  }));
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "For 24 hours a repeated call with the same key gets the same response and does nothing.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
  };
  return [...inPath, ...inQuery, ...(isKeyed ? [key] : [])];
}

function toResponses(call: Call): Json {
  const answers = Object.entries({ 200: call.ok, 202: call.accepted }).flatMap(([status, schema]) => {
    if (!schema) return [];
    const description = schema.meta()?.description ?? STATUS_CODES[status] ?? "";
    const example = status === "200" ? call.examples?.ok : undefined;
    return [[status, { description, content: json(toJsonSchema(schema, "output"), example) }]];
  });
  const refusals = Object.entries(Object.groupBy(listProblems(call), (code) => String(problems[code][0])));
  return Object.fromEntries([
    ...answers,
    ...refusals.map(([status, codes = []]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code][1]}`).join("\n\n"),
        content: { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  ]);
}

const ALWAYS = ["bad_request", "internal_error", "busy"] as const;
const KEYED = ["invalid_idempotency_key", "idempotency_key_in_use", "idempotency_key_reused"] as const;
const WITH_BODY = [
  "invalid_json",
  "invalid_encoding",
  "unsupported_media_type",
  "unsupported_charset",
  "invalid_body",
  "body_too_large",
] as const;

function listProblems(call: Call): ProblemCode[] {
  return [
    ...call.guard.refusals,
    ...(call.body ? WITH_BODY : []),
    ...(call.query ? (["invalid_query"] as const) : []),
    ...(call.isKeyed ? KEYED : []),
    ...(call.refusals ?? []),
    ...ALWAYS,
  ];
}

/** Converts a schema to JSON Schema; rules in code, which JSON Schema cannot express, are in the descriptions. */
function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ jsonSchema }) {
      // Responses may gain properties; bodies may not.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

const json = (schema: Json, example?: unknown) => ({
  "application/json": example === undefined ? { schema } : { schema, example },
});
