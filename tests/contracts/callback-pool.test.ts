import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { useCleanups } from "../cleanups";
import { testDatabase } from "../databases";

const later = useCleanups();

it("250,000 rows read from PostgreSQL, a hundred at a time, take little memory (R27)", async () => {
  const place = await testDatabase("postgres");
  later(() => place.remove());
  await (await place.open()).close();
  const { stdout } = await promisify(execFile)(
    "node_modules/.bin/node",
    ["tests/factories/long-reading.ts"],
    {
      env: { PATH: process.env.PATH, NODE_ENV: "test", ...place.environment },
    },
  );
  // By pg's own promises 60 and more (decision 59).
  expect(stdout).toMatch(/^-?\d/);
  expect(Number(stdout)).toBeLessThan(40);
});
