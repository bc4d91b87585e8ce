import { Validator } from "@seriousme/openapi-schema-validator";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { SCOPES } from "~/services/api-tokens/token";
import { bearer, makeToken } from "./made-tokens";
import { becomeAdmin } from "./operators";
import { apiPaths, builtRoutes, readApiDocument } from "./route-manifest";
import { execute, logLines, readRows, someone } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const server = useServer();
const superadmin = useSuperadmin(server);
let described: Awaited<ReturnType<typeof readApiDocument>>;
beforeAll(async () => {
  described = await readApiDocument(server);
});
const operations = () => described.operations;

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  server.fetch(path, { method, headers: { ...someone(), ...headers } });

describe("the document of the API", () => {
  it("is valid OpenAPI 3.1 with unique operation ids", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(described.text))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    const names = operations().map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(20);
  });

  it("describes exactly the paths and methods that are answered", async () => {
    const routes = builtRoutes().filter(({ id }) => id.startsWith("routes/api"));
    expect(routes.map(({ id }) => id)).toEqual(["routes/api.$"]);
    const answered: string[] = [];
    for (const path of await apiPaths(server)) {
      for (const method of METHODS) {
        const answer = await ask(method, path);
        if (answer.status !== 405) answered.push(`${method} ${path}`);
        else expect(answer.headers.get("Allow")).not.toContain(method);
      }
    }
    expect(answered.sort()).toEqual(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it("may be cached, and is not sent again when unchanged", async () => {
    const first = await server.fetch("/api/openapi.json");
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=300");
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    const again = await server.fetch("/api/openapi.json", { headers });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const changed = await server.fetch("/api/openapi.json", { headers: { "If-None-Match": '"x"' } });
    expect(changed.status).toBe(200);
  });

  it("explains every problem that a call can answer", () => {
    for (const { responses } of operations()) {
      for (const [status, { description }] of Object.entries(responses)) {
        if (Number(status) < 300) continue;
        const codes = [...description.matchAll(/^`(\w+)`: /gm)].map(([, code = ""]) => code);
        expect(codes.length).toBeGreaterThan(0);
        expect(codes.map((code) => described.problems[code]?.status)).toEqual(
          codes.map(() => Number(status)),
        );
      }
    }
  });

  it("has examples that fit their schemas", () => {
    const content = z.object({
      "application/json": z.object({ schema: z.record(z.string(), z.json()), example: z.json() }),
    });
    const examples = operations().flatMap(({ operationId, requestBody, responses }) =>
      [requestBody?.content, responses[200]?.content].flatMap((shown) => {
        const { data } = content.safeParse(shown);
        return data ? [{ operationId, ...data["application/json"] }] : [];
      }),
    );
    for (const { operationId, schema, example } of examples) {
      const { error } = z.fromJSONSchema(schema).safeParse(example);
      expect([operationId, error?.message]).toEqual([operationId, undefined]);
    }
    expect(new Set(examples.map(({ operationId }) => operationId))).toEqual(
      new Set([
        "getDeviceSettings",
        "registerDevices",
        "removeDevices",
        "listSignups",
        "listPeople",
        "getPerson",
        "verifyInvitation",
        "reportJoined",
      ]),
    );
  });

  it("matches docs/api.md, which names every call, scope and problem", () => {
    const page = readFileSync("docs/api.md", "utf8");
    const named = [
      ...operations().map(({ method, documented }) => `${method} ${documented}`),
      ...SCOPES,
      ...Object.keys(described.problems),
    ];
    expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

// C11
describe("every call with a token", () => {
  const byToken = () => operations().filter(({ scope }) => scope !== undefined);

  it("requires each scope at least once", () => {
    expect(new Set(byToken().map(({ scope }) => scope))).toEqual(new Set(SCOPES));
    const others = operations().filter(({ scope }) => scope === undefined);
    expect(others.map(({ operationId }) => operationId).sort()).toEqual([
      "getDocument",
      "receiveBounces",
      "registerDevice",
      "signInVisitor",
    ]);
  });

  it("is refused without one, at its .data address and with a session", async () => {
    const session = { ...superadmin.headers, "Sec-Fetch-Site": "same-origin" };
    for (const { method, path } of byToken()) {
      for (const headers of [{}, session]) {
        const answer = await ask(method, path, headers);
        expect([path, answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([
          path,
          401,
          'Bearer realm="api"',
        ]);
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect(await answer.json()).toMatchObject({ code: "missing_token", status: 401 });
      }
      expect((await ask(method, `${path}.data`)).status).toBe(404);
    }
  });

  it("is forbidden to a token that has every scope but its own", async () => {
    for (const wanted of SCOPES) {
      const scopes = SCOPES.filter((scope) => scope !== wanted);
      const token = await makeToken(server, superadmin.cookie, { scopes });
      for (const { method, path } of byToken().filter(({ scope }) => scope === wanted)) {
        const answer = await ask(method, path, bearer(token));
        expect([path, answer.status, await answer.json()]).toMatchObject([
          path,
          403,
          { code: "insufficient_scope" },
        ]);
        expect(answer.headers.get("WWW-Authenticate")).toContain(`scope="${wanted}"`);
      }
    }
  });

  it("about accounts is for superadmins only, as is its scope in the form", async () => {
    const admin = await becomeAdmin(server, superadmin.cookie, "grace@example.com");
    const form = await admin.read("/admin/tokens");
    expect(form).toContain('value="logs:read"');
    expect(form).not.toContain('value="accounts:manage"');
    await makeToken(server, admin.cookie, { scopes: ["logs:read", "accounts:manage"] });
    const stored = readRows(
      server,
      "select scopes from api_tokens order by created_at desc, id desc limit 1",
    );
    expect(stored).toEqual([{ scopes: "logs:read" }]);

    // Stands for a token that another version of the product gave this scope.
    const token = await makeToken(server, admin.cookie, { scopes: ["logs:read"] });
    const update = "update api_tokens set scopes = 'accounts:manage' where prefix = ?";
    execute(server, update, token.slice(0, 11));
    for (const method of ["GET", "POST"]) {
      const answer = await ask(method, "/api/accounts", bearer(token));
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: "superadmin_only" }]);
    }
  });
});

it("what is not set up here is 404, and the log says that it was asked for", async () => {
  const token = await makeToken(server, superadmin.cookie, { scopes: ["resources:read"] });
  for (const [path, code] of [
    ["redis-status", "redis_absent"],
    ["meeting-metrics", "meetings_absent"],
  ]) {
    const answer = await ask("GET", `/api/resourcemonitor/${path}`, bearer(token));
    expect([answer.status, await answer.json()]).toMatchObject([404, { code }]);
  }
  expect((await ask("GET", "/api/resourcemonitor/resources", bearer(token))).status).toBe(200);
  const warned = () => logLines(server).filter(({ missing }) => missing !== undefined);
  await expect.poll(warned).toMatchObject([{ level: 40, missing: ["redis", "meetings"] }]);
});
