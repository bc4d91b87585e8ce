import { expect, it } from "vitest";
import { maskedConnectionString } from "./connection-string";

it.each([
  ["redis://default:s3cret@cache.example.com:6379", "redis://***:***@cache.example.com:6379"],
  ["rediss://:s3cret@cache.example.com/2", "rediss://***:***@cache.example.com/2"],
  ["redis://ops@127.0.0.1:6379", "redis://***:***@127.0.0.1:6379"],
  ["redis://ops:p%40ss%2Fword@[::1]:6379/0?password=s3cret", "redis://***:***@[::1]:6379/0"],
  ["redis://127.0.0.1:6379", "redis://127.0.0.1:6379"],
  ["s3cret", "***"],
])("%s is shown as %s (C24)", (url, shown) => {
  expect(maskedConnectionString(url)).toBe(shown);
});
