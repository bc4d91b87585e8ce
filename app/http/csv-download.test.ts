import { beforeEach, expect, it } from "vitest";
import { installBridge, type RequestContext, type ServerBridge } from "../../server/bridge";
import { csvDownload } from "./csv-download.server";

/** Simulates a request whose connection accepts `takes` more batches. */
function underRequest(takes: number): void {
  let left = takes;
  const context = { untilWritable: async () => (left -= 1) >= 0 } as Partial<RequestContext>;
  installBridge({ current: () => context } as unknown as ServerBridge);
}

beforeEach(() => underRequest(Infinity));

/** Batches that count how many were read, and record the end of the reading. */
function counted(count: number) {
  const seen = { read: 0, ended: false };
  async function* batches() {
    try {
      for (let batch = 1; batch <= count; batch += 1) {
        seen.read += 1;
        yield [[`=${batch}`, batch]];
      }
    } finally {
      seen.ended = true;
    }
  }
  return { seen, batches: batches() };
}

const columns = {
  Name: ([name]: (string | number)[]) => name ?? "",
  Count: ([, count]: (string | number)[]) => count ?? 0,
};

/** Creates the request that a button of CsvDownloadForm sends. */
const form = (fields: Record<string, string> = {}) =>
  new Request("http://localhost/", { method: "POST", body: new URLSearchParams(fields) });

it("is a CSV file that begins with the header", async () => {
  const { batches } = counted(2);
  const answer = await csvDownload(form(), "entries.csv", columns, batches);
  expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8; header=present");
  expect(answer.headers.get("Content-Disposition")).toBe('attachment; filename="entries.csv"');
  expect(await answer.text()).toBe(`"Name","Count"\r\n"'=1",1\r\n"'=2",2\r\n`);
});

// R27
it("reads a batch once the previous one was consumed, none ahead", async () => {
  const { seen, batches } = counted(100);
  const reader = (await csvDownload(form(), "x.csv", columns, batches)).body!.getReader();
  await reader.read();
  expect(seen.read).toBe(0);
  await reader.read();
  await reader.read();
  expect(seen.read).toBe(2);
  await reader.cancel();
  expect(seen).toEqual({ read: 2, ended: true });
});

// R20, R27
it("stops reading when the client has left", async () => {
  underRequest(3);
  const { seen, batches } = counted(100);
  await (await csvDownload(form(), "x.csv", columns, batches)).text();
  expect(seen).toEqual({ read: 4, ended: true });
});

it("fails when the reading fails, instead of ending early", async () => {
  async function* broken() {
    yield [["one"]];
    throw new Error("the database is away");
  }
  const answer = await csvDownload(form(), "x.csv", columns, broken());
  await expect(answer.text()).rejects.toThrow("the database is away");
});

it("begins with a byte order mark for Excel only", async () => {
  const bytes = async (fields: Record<string, string>) => {
    const answer = await csvDownload(form(fields), "entries.csv", columns, counted(0).batches);
    return [...new Uint8Array(await answer.arrayBuffer())].slice(0, 3);
  };
  expect(await bytes({ for: "excel" })).toEqual([0xef, 0xbb, 0xbf]);
  expect(await bytes({})).toEqual([...Buffer.from('"Na')]);
});
