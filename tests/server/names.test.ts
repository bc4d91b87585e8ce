import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { open, post } from "../../server/fixtures/raw-http";
import { unescapeHtml } from "./form-html";
import { readRows, signUp, someone, stampOfAPerson } from "./visitors";
import { useServer, useSuperadmin } from "./use-server";

const server = useServer();
const superadmin = useSuperadmin(server);

let people = 0;
const newEmail = () => `person-${++people}@example.com`;
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
    expect((await signUp(server, { email, name })).status).toBe(303);
    expect(stored(email).map((row) => row.name)).toEqual([name.normalize("NFC")]);
    const html = await superadmin.read("/admin/dashboard");
    expect(unescapeHtml(html)).toContain(`>${name.normalize("NFC")}</bdi>`);
    expect(html).not.toContain("<script>x");
  });

  it("with half a surrogate pair are stored with the replacement character (R25)", async () => {
    const email = newEmail();
    const stamp = await stampOfAPerson(server);
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
