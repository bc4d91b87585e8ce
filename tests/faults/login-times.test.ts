import { expect, it } from "vitest";
import { removeAfterTest } from "../fixture";
import { formPost, startServer, SUPERADMIN } from "../server-process";
import { BEHIND_A_PROXY, quantile, someone, measureMs } from "../server/visitors";

const CREDENTIALS = {
  unknown: { email: "nobody123@example.com", password: "wrong" },
  wrong: { email: SUPERADMIN.email, password: "wrong" },
};
const ROUNDS = 200;

// C2
it("an unknown address and a wrong password take the same time", async () => {
  const server = removeAfterTest(await startServer(BEHIND_A_PROXY));
  const samples = { unknown: [] as number[], wrong: [] as number[] };
  const measure = async (kind: keyof typeof samples, headers: Record<string, string>) => {
    // Requests the data, not the page: the time of rendering would hide the difference.
    const send = async () => (await server.fetch("/login.data", formPost(CREDENTIALS[kind], headers))).text();
    samples[kind].push(await measureMs(send));
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure("unknown", someone());
    await measure("wrong", someone());
  }
  const medians = Object.values(samples).map((times) => quantile(times, 0.5));
  expect(Math.max(...medians)).toBeLessThan(Math.min(...medians) + 10);
});
