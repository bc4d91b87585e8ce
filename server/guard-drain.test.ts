import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { removeAfterTest } from "../tests/fixture.ts";
import { ask, open, parseAnswer, readAll } from "./fixtures/raw-http.ts";
import { spawnFixture } from "./fixtures/spawn.ts";

const draining = ({ msg }: Readonly<Record<string, unknown>>) => msg === "draining";

// R19, R21
describe("on SIGTERM", () => {
  test("in-flight requests are answered, hooks run, and the process exits with 0", async () => {
    const child = removeAfterTest(await spawnFixture());
    await child.command("be ready");
    // Half a request is on its way already, so this connection outlives the closing of the door.
    const [late, idle] = [await open(child.port), await open(child.port)];
    const [lateText, idleText] = [readAll(late), readAll(idle)];
    late.write("GET /readyz HTTP/1.1\r\nHost:");
    idle.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(idle, "data");
    const slow = ask(child.port, "GET /slow", { Connection: "keep-alive" });
    await child.waitForEvent("slow request arrived");

    child.process.kill("SIGTERM");
    await child.logged(draining);
    await idleText;
    // Idle connections are closed an instant before the door, and a busy machine may stop in between.
    const connect = () =>
      open(child.port).then(
        (socket) => void socket.destroy(),
        ({ code }: NodeJS.ErrnoException) => code,
      );
    await expect.poll(connect, { timeout: 5000 }).toBe("ECONNREFUSED");
    late.write(" a\r\n\r\n");
    expect(parseAnswer(await lateText)).toMatchObject({
      status: 503,
      headers: { connection: "close" },
      body: "draining",
    });

    await child.command("finish slow request");
    expect(await slow).toMatchObject({
      status: 200,
      headers: { connection: "close" },
      body: expect.stringContaining("done"),
    });
    await child.waitForEvent("drain hook ran");
    expect(await child.exited()).toBe(0);
    expect(child.logLines().filter(({ level }) => Number(level) >= 50)).toMatchObject([
      { msg: "a shutdown hook failed" },
    ]);
    await expect(child.waitForEvent("second close reported")).rejects.toThrow("the child ended before");
  });

  test("a request that never ends is aborted, and the hooks still run", async () => {
    const child = removeAfterTest(await spawnFixture({}, "./quick-preload.mjs"));
    const slow = ask(child.port, "GET /slow");
    await child.waitForEvent("slow request arrived");
    child.process.kill("SIGTERM");
    expect((await slow).status).toBeNaN();
    expect(await child.waitForEvent("drain hook ran")).toBe(false);
    expect(await child.exited()).toBe(0);
    expect(child.output()).toContain("some requests did not end in time");
    expect(child.logLines().find(({ path }) => path === "/slow")).toMatchObject({ aborted: true });
  });

  // R55
  test("SIGHUP, of a terminal that was closed, drains as well", async () => {
    const child = removeAfterTest(await spawnFixture());
    const slow = ask(child.port, "GET /slow");
    await child.waitForEvent("slow request arrived");
    child.process.kill("SIGHUP");
    await child.logged(draining);
    await child.command("finish slow request");
    expect((await slow).status).toBe(200);
    expect(await child.exited()).toBe(0);
    expect(child.logLines().at(-1)?.msg).toBe("drained");
  });

  test("a hook that never ends does not prevent the exit", async () => {
    const child = removeAfterTest(await spawnFixture({}, "./quick-preload.mjs"));
    await child.command("hang on drain");
    child.process.kill("SIGINT");
    expect(await child.exited()).toBe(0);
    expect(child.output()).toContain("some shutdown hooks did not finish in time");
  });
});
