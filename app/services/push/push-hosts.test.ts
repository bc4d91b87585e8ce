import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/env.server";
import { createPushHosts, isPushHost, KNOWN_PUSH_HOSTS } from "./push-hosts";

describe("the allow list of push services", () => {
  const hosts = createPushHosts(KNOWN_PUSH_HOSTS);

  it.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
    "HTTPS://FCM.GoogleApis.com:443/abc",
  ])("allows %s of a browser", (endpoint) => {
    expect(hosts.allows(endpoint)).toBe(true);
  });

  // C22
  it.each([
    "http://fcm.googleapis.com/abc",
    "https://fcm.googleapis.com:8443/abc",
    "https://user@fcm.googleapis.com/abc",
    "https://fcm.googleapis.com.example.com/abc",
    "https://fcm.googleapis.com./abc",
    "https://example.com/fcm.googleapis.com",
    "https://evilpush.apple.com/abc",
    "https://notify.windows.com/abc",
    "https://127.0.0.1/abc",
    "https://2130706433/abc",
    "https://[::1]/abc",
    "https://localhost/abc",
    "https://router.local/abc",
    "file:///etc/passwd",
    "fcm.googleapis.com",
    "",
  ])("refuses %s", (endpoint) => {
    expect(hosts.allows(endpoint)).toBe(false);
  });

  it("allows the hosts of its patterns", () => {
    const own = createPushHosts(["push.example.com", "*.push.example.org:8443", "push.example.net:443"]);
    expect(own.allows("https://push.example.com/x")).toBe(true);
    expect(own.allows("https://a.push.example.org:8443/x")).toBe(true);
    expect(own.allows("https://a.push.example.org/x")).toBe(false);
    expect(own.allows("https://push.example.net/x")).toBe(true);
    expect(own.allows("https://fcm.googleapis.com/x")).toBe(false);
  });

  it.each([...KNOWN_PUSH_HOSTS, "push.example.com:8443", "*.a-b.example.com"])(
    "may contain %s",
    (pattern) => {
      expect(isPushHost(pattern)).toBe(true);
    },
  );

  // C22
  it.each([
    "localhost",
    "*",
    "*.com",
    "127.0.0.1",
    "10.0.0.1",
    "[::1]",
    "https://push.example.com",
    "a b.com",
    "",
    "-a.com",
  ])("may not contain %j", (pattern) => {
    expect(isPushHost(pattern)).toBe(false);
  });

  it("is read from PUSH_ALLOWED_HOSTS, and an invalid one stops the start", () => {
    const readHosts = (list: string) =>
      readEnvironment({ NODE_ENV: "test", PUSH_ALLOWED_HOSTS: list }).PUSH_ALLOWED_HOSTS;
    expect(readHosts("Push.example.com, *.example.org")).toEqual(["push.example.com", "*.example.org"]);
    expect(readHosts("")).toEqual(KNOWN_PUSH_HOSTS);
    expect(() => readHosts("push.example.com,10.0.0.1")).toThrow("PUSH_ALLOWED_HOSTS: must be names");
  });
});
