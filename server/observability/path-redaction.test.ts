import { describe, expect, test } from "vitest";
import { redactPath } from "./path-redaction.ts";

describe("a path in the log has no query and no capability", () => {
  test.each([
    ["/unsubscribe/secret?secret", "/unsubscribe/:token"],
    ["/Unsubscribe/secret.data", "/unsubscribe/:token"],
    ["/%75nsubscribe/secret", "/unsubscribe/:token"],
    ["/x/../unsubscribe/secret", "/unsubscribe/:token"],
    ["//unsubscribe//secret", "/unsubscribe/:token"],
    ["\\unsubscribe\\secret%zz", "/unsubscribe/:token"],
    ["/%75nsubscribe/secret%zz", "/unsubscribe/:token"],
    ["http://host/unsubscribe/secret", "/unsubscribe/:token"],
    ["/unsubscribe", "/unsubscribe"],
    ["/Invitation/secret.data?secret", "/invitation/:token"],
    ["/%69nvitation/secret%zz", "/invitation/:token"],
    ["/Confirm-Email/secret", "/confirm-email/:token"],
    ["/i/secret.data?secret", "/i/:token"],
    ["/I/secret", "/i/:token"],
    ["/%69/secret", "/i/:token"],
    ["/%69%2fsecret%zz", "/i/:token"],
    ["/i", "/i"],
    ["/images/secret", "/images/secret"],
    ["/admin/i%zz", "/admin/i%zz"],
    ["/invitation", "/invitation"],
    ["/Updates/%63onfirm/secret.data?secret", "/updates/confirm/:token"],
    ["/updates/confirm/secret%zz", "/updates/confirm/:token"],
    ["/updates/confirm", "/updates/confirm"],
    ["/updates", "/updates"],
    ["/updates?step=confirm%zz", "/updates"],
    ["/admin/users?email=secret", "/admin/users"],
    ["/a#secret", "/a"],
    ["/a%0ab", "/a%0ab"],
    ["*", "*"],
  ])("%s becomes %s", (url, shown) => expect(redactPath(url)).toBe(shown));

  test("a path that is too long is cut", () => {
    expect(redactPath(`/${"a".repeat(9000)}`)).toHaveLength(256);
  });
});
