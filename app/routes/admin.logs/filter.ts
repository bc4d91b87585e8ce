import { logsMessages as copy } from "~/content/logs";
import { dayFields, linkTo, listState, shortText, type ValuesOf } from "~/http/list-state";
import { paths } from "~/paths";
import type { LogFilter } from "~/services/logs/log-store";

export const logsList = listState(
  {
    q: shortText(100, copy.searchTooLong),
    level: {
      error: copy.notALevel,
      clean: (typed: string) => typed.toUpperCase(),
      parse: (text: string) => (/^[A-Z]{1,16}$/.test(text) ? text : undefined),
    },
    ...dayFields,
  },
  ({ q, to, ...others }): LogFilter => ({ search: q, until: to, ...others }),
);

/** The colours of the levels (specification, section 2); any other level is neutral. */
export const LEVEL_COLOURS: Readonly<Record<string, "info" | "warning" | "danger">> = {
  INFO: "info",
  WARN: "warning",
  ERROR: "danger",
};

interface Place {
  /** The id of the line after which the page starts. */
  readonly past?: number | undefined;
  /** The id of the line whose message is shown in full. */
  readonly whole?: number | undefined;
  readonly step?: "delete" | undefined;
  /** Loads new lines continuously. */
  readonly live?: "on" | undefined;
}

/** Returns the page's URL with all state that a reload should keep. */
export function getLogsUrl(values: ValuesOf<typeof logsList>, place: Place = {}): string {
  return linkTo(paths.logs, { ...values, ...place });
}
