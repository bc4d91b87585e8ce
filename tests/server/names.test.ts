import { once } from "node:events";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { open, post } from "../../server/fixtures/raw-http";
import { logIn } from "../server-process";
import type { ServerProcess } from "../server-process";
import { unescapeHtml } from "./form-html";
import { sharedServer } from "./shared-server";
import { readRows, signUp, someone, stampOfAPerson } from "./visitors";

let server: ServerProcess;
let stamp: string;
beforeAll(async () => {
  server = await sharedServer();
  stamp = await stampOfAPerson(server);
});

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
/** Signs a new person up. */
const send = (fields: Record<string, string> = {}, headers = someone()) =>
  signUp(server, { stamp, email: newEmail(), ...fields }, headers);
const stored = (email: string) => readRows(server, "select * from submissions where email = ?", email);

describe("names (R25)", () => {
  it.each([
    ["a family", "👩‍👩‍👧‍👦 Familie"],
    ["Zalgo", "Z̸͓̈́a̶̤͂l̵͉̇g̷̺̈o̴̗͝"],
    ["a name written from the right", "\u202Eevil\u202C עברית"],
    ["a dotted I", "İpek Işık"],
    ["markup", "</script><script>x</script><img onerror=x>"],
    ["a line separator", "a\u2028b"],
  ])("with %s are stored as typed and shown as text (R25)", async (_, name) => {
    const email = newEmail();
    expect((await send({ email, name })).status).toBe(303);
    expect(stored(email).map((row) => row.name)).toEqual([name.normalize("NFC")]);
    const headers = { Cookie: await logIn(server, undefined, someone()) };
    const html = await (await server.fetch("/admin/dashboard", { headers })).text();
    expect(unescapeHtml(html)).toContain(`>${name.normalize("NFC")}</bdi>`);
    expect(html).not.toContain("<script>x");
  });

  it("with half a surrogate pair are stored with the replacement character (R25)", async () => {
    const email = newEmail();
    const body = `${new URLSearchParams({ stamp, email })}&name=Ada%ED%A0%80`;
    expect((await post(server.port, "/early-access", body, someone())).status).toBe(303);
    expect(stored(email).map((row) => row.name)).toEqual([expect.stringMatching(/^Ada\uFFFD+$/)]);
  });

  it("of ten megabytes are refused before they are read (R25)", async () => {
    const socket = await open(server.port);
    onTestFinished(() => void socket.destroy());
    const startedAt = performance.now();
    socket.write(
      `POST /early-access HTTP/1.1\r\nHost: localhost:${server.port}\r\nSec-Fetch-Site: same-origin\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10485760\r\n\r\nname=",
    );
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
