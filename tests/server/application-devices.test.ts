import { beforeAll, describe, expect, it } from "vitest";
import { createSubscription } from "../factories/push";
import { startPlatform } from "../fakes/platform";
import { useFixture } from "../fixture";
import { bearer, makeToken } from "./made-tokens";
import { useServer, useSuperadmin } from "./use-server";
import { readRows, someone } from "./visitors";

const COUNT = 100;
/** Of most push services; the longest of those in use is about twice as long. */
const ENDPOINT = `https://fcm.googleapis.com/fcm/send/${"x".repeat(150)}`;

const toDevice = (index: number) => {
  const { endpoint, keys } = JSON.parse(createSubscription(`${ENDPOINT}${index}`).token) as {
    endpoint: string;
    keys: object;
  };
  return {
    user: `user-${index}`,
    subscription: { endpoint, expirationTime: null, keys, contentEncodings: ["aes128gcm"] },
  };
};

describe("the devices that the application registers", () => {
  const server = useServer();
  const superadmin = useSuperadmin(server);
  let token: string;
  beforeAll(async () => {
    token = await makeToken(server, superadmin.cookie, { scopes: ["devices:write"] });
  });
  const post = (path: string, body: object, headers = bearer(token)) =>
    server.fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...someone(), ...headers },
      body: JSON.stringify(body),
    });

  // C37
  it("come a hundred at a time, and no more", async () => {
    const devices = Array.from({ length: COUNT + 1 }, (_, index) => toDevice(index));
    const answer = await post("/api/devices", { devices: devices.slice(0, COUNT) });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: "success", results: Array(COUNT).fill({ result: "registered" }) },
    ]);
    const tooMany = await post("/api/devices", { devices });
    expect([tooMany.status, await tooMany.json()]).toMatchObject([
      422,
      { code: "invalid_body", fields: { devices: "must be a list of 1 to 100" } },
    ]);
    const strangers = await post("/api/devices", { devices }, bearer("fd_nobody"));
    expect([401, 413]).toContain(strangers.status);
    const removed = await post("/api/devices/remove", {
      devices: devices.slice(0, COUNT).map(({ subscription }) => subscription.endpoint),
      users: devices.slice(0, COUNT).map(({ user }) => user),
    });
    expect(await removed.json()).toEqual({ status: "success", removed: COUNT });
    expect(readRows(server, "select id from devices")).toEqual([]);
  });
});

describe("where the application's backend sends to its devices by itself", () => {
  const platform = useFixture(() => startPlatform());
  const server = useServer(() => ({ ...platform.environment, PLATFORM_BROADCASTS: "on" }));
  const superadmin = useSuperadmin(server);

  it("they are not registered here, and can be removed", async () => {
    const token = await makeToken(server, superadmin.cookie, { scopes: ["devices:write"] });
    const call = (path: string, body?: object) =>
      server.fetch(path, {
        method: body ? "POST" : "GET",
        headers: { ...someone(), ...bearer(token), ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    for (const answer of [
      await call("/api/devices", { devices: [toDevice(1)] }),
      await call("/api/devices/settings"),
    ]) {
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "devices_elsewhere" }]);
    }
    const removed = await call("/api/devices/remove", { users: ["user-1"] });
    expect([removed.status, await removed.json()]).toEqual([200, { status: "success", removed: 0 }]);
  });
});
