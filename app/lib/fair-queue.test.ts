import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue";

/** Work that lasts until the test ends it; `log` has the order of starts and refusals. */
function start(options: { atATime: number; mayWait: number }) {
  const queue = new FairQueue(options);
  const log: string[] = [];
  const running: (() => void)[] = [];
  const bring = async (...names: string[]) => {
    for (const name of names) {
      const [key = ""] = name.split(" ");
      const [group = key, member] = key.split("/");
      void queue.enter(key, member === undefined ? key : group).then((leave) => {
        log.push(leave ? name : `${name} refused`);
        if (leave) running.push(leave);
      });
    }
    await nextTurn();
  };
  const endOne = async () => {
    running.shift()?.();
    await nextTurn();
  };
  const endAll = async () => {
    while (running.length > 0) await endOne();
  };
  return { log, running, bring, endOne, endAll };
}

describe("a fair queue", () => {
  // C49
  it("gives a group of many keys one turn for each of another group", async () => {
    const { log, bring, endAll } = start({ atATime: 1, mayWait: 9 });
    await bring("g/1 a", "g/2 a", "g/3 a", "h b", "h c", "g/1 d");
    await endAll();
    expect(log).toEqual(["g/1 a", "h b", "g/2 a", "h c", "g/3 a", "g/1 d"]);
  });

  // C49
  it("refuses the newest of a group with many keys for a new group", async () => {
    const { log, bring } = start({ atATime: 1, mayWait: 3 });
    await bring("g/1 a", "g/2 a", "g/3 a", "g/4 a", "h b");
    expect(log).toEqual(["g/1 a", "g/4 a refused"]);
  });

  it("runs up to its limit, and the next when one has ended", async () => {
    const { log, running, bring, endOne, endAll } = start({ atATime: 2, mayWait: 9 });
    await bring("a 1", "a 2", "a 3", "a 4");
    expect([log, running.length]).toEqual([["a 1", "a 2"], 2]);
    await endOne();
    expect([log, running.length]).toEqual([["a 1", "a 2", "a 3"], 2]);
    await endAll();
    expect(log).toEqual(["a 1", "a 2", "a 3", "a 4"]);
    await bring("a 5", "a 6", "a 7");
    expect([log.slice(4), running.length]).toEqual([["a 5", "a 6"], 2]);
  });

  // C40
  it("starts the key with the fewest turns next, each key in its own order", async () => {
    const { log, bring, endOne, endAll } = start({ atATime: 1, mayWait: 20 });
    await bring("a 1", "a 2", "a 3", "a 4", "b 1", "b 2", "c 1");
    await endOne();
    expect(log).toEqual(["a 1", "b 1"]);
    await endOne();
    await endOne();
    await bring("d 1");
    await endAll();
    expect(log).toEqual(["a 1", "b 1", "c 1", "a 2", "d 1", "b 2", "a 3", "a 4"]);
  });

  // C4, C40
  it("refuses a key's work beyond all places at once, and none of other keys", async () => {
    const { log, bring, endAll } = start({ atATime: 1, mayWait: 3 });
    await bring("a 1", "a 2", "a 3", "a 4", "a 5", "a 6");
    expect(log).toEqual(["a 1", "a 5 refused", "a 6 refused"]);
    await bring("b 1");
    expect(log).toEqual(["a 1", "a 5 refused", "a 6 refused", "a 4 refused"]);
    await endAll();
    expect(log.slice(4)).toEqual(["b 1", "a 2", "a 3"]);
  });

  it("gives a new key the place of one that had a turn", async () => {
    const { log, bring, endOne, endAll } = start({ atATime: 1, mayWait: 3 });
    await bring("a 1", "b 1", "c 1", "d 1");
    await bring("e 1");
    expect(log).toEqual(["a 1", "e 1 refused"]);
    await endOne();
    await bring("b 2");
    expect(log.slice(2)).toEqual(["b 1"]);
    await bring("f 1");
    expect(log.slice(3)).toEqual(["b 2 refused"]);
    await endAll();
    expect(log.slice(4)).toEqual(["c 1", "d 1", "f 1"]);
  });

  it("is in its first state after a flood", async () => {
    const { log, running, bring, endAll } = start({ atATime: 2, mayWait: 4 });
    await bring(...Array.from({ length: 50 }, (_, each) => `${"abc".charAt(each % 3)} ${each}`));
    await endAll();
    expect(running).toEqual([]);
    log.length = 0;
    await bring("a 1", "a 2", "a 3", "b 1", "b 2", "b 3");
    expect([running.length, log]).toEqual([2, ["a 1", "a 2"]]);
    await endAll();
    expect(log).toEqual(["a 1", "a 2", "b 1", "b 2", "a 3", "b 3"]);
  });
});
