import { describe, expect, test } from "vitest";
import { readTarget } from "./request-target.ts";

describe("a path is resolved as the application resolves it", () => {
  test.each([
    ["/", "/", "/"],
    ["/admin/users?q=1#x", "/admin/users", "/admin/users"],
    ["/Admin/", "/Admin/", "/admin"],
    ["/x/../admin", "/admin", "/admin"],
    ["/x/%2e%2e/admin", "/admin", "/admin"],
    ["/%61dmin", "/%61dmin", "/admin"],
    ["/x\\..\\admin", "/admin", "/admin"],
    ["//evil.example/x", "//evil.example/x", "//evil.example/x"],
    ["/a?b=%zz", "/a", "/a"],
    ["/a%20b", "/a%20b", "/a b"],
  ])("%s", (url, pathname, path) => expect(readTarget(url)).toEqual({ pathname, path }));

  test.each(["", "*", "http://evil.example/", "/%", "/%zz", "/%ff", "/a%00", "/%zz/../b", "/a%00/../b"])(
    "%j is invalid",
    (url) => expect(readTarget(url)).toBeUndefined(),
  );
});
