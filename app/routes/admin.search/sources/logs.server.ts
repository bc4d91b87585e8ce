import { parseLogLine, visibleText } from "~/lib/log-line";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import { logs as log } from "~/services/container.server";
import type { SearchSource } from "../search-source";

/** Asked at each letter that is typed; the log's own page looks on. */
const LOOKED_THROUGH = 5000;
/** Fewer letters stand somewhere in nearly every line. */
const SHORTEST = 3;
const LONGEST_TITLE = 160;
const copy = operatorMessages.logs;

/** Lines of the server's log by any part of their words, the newest first. */
export const logs: SearchSource = {
  id: "logs",
  title: copy.searchGroup,
  among: LOOKED_THROUGH,
  async find({ typed, terms }, limit) {
    // The platform gives all of its log or nothing: too much for each letter that is typed.
    if (!log.isOurs) return [];
    if (!terms.some((term) => term.length >= SHORTEST)) return [];
    const { lines } = await log.page({ search: typed.replaceAll("\0", "") }, { limit, most: LOOKED_THROUGH });
    return lines.map(({ id, at, level, line }) => ({
      to: paths.logLine(id),
      title: visibleText((parseLogLine(line)?.message ?? line).slice(0, LONGEST_TITLE)),
      detail: level,
      at,
    }));
  },
  more: ({ typed }) => ({ to: paths.logsFor(typed), name: copy.searchMore }),
};
