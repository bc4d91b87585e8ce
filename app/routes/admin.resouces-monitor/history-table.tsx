import { operatorMessages } from "~/content/operator-messages";
import type { HistoryView } from "./resources-view.server";

const copy = operatorMessages.resources.history;
const { percent, rate, count } = operatorMessages.resources.units;

type Row = HistoryView["rows"][number];

const COLUMNS: readonly { name: keyof typeof copy.columns; text: (row: Row) => string }[] = [
  { name: "cpu", text: ({ cpu }) => percent(cpu) },
  { name: "cpuPeak", text: ({ cpuPeak }) => percent(cpuPeak) },
  { name: "memory", text: ({ memory }) => percent(memory) },
  { name: "memoryPeak", text: ({ memoryPeak }) => percent(memoryPeak) },
  { name: "disk", text: ({ disk }) => percent(disk) },
  { name: "inbound", text: ({ inbound }) => rate(inbound) },
  { name: "outbound", text: ({ outbound }) => rate(outbound) },
  { name: "meetings", text: ({ meetings }) => (meetings === null ? copy.nobodyTold : count(meetings)) },
];

type HistoryTableProps = Pick<HistoryView, "over" | "rows"> & { hasMeetings: boolean };

/** The newest first, as in every other table. */
export function HistoryTable({ over, rows, hasMeetings }: HistoryTableProps) {
  const columns = COLUMNS.filter(({ name }) => name !== "meetings" || hasMeetings);
  return (
    <details className="border-t pt-3">
      <summary className="w-fit rounded-sm text-xs text-primary underline underline-offset-4">
        {copy.exactNumbers}
      </summary>
      <div
        className="relative mt-3 overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={copy.exactNumbers}
      >
        <table className="w-full text-right text-sm whitespace-nowrap tabular-nums">
          <caption className="sr-only">{copy.title}</caption>
          <thead className="text-2xs text-muted-foreground">
            <tr className="border-b">
              <th scope="col" className="h-8 text-left font-medium">
                {copy.time[over]}
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" className="pl-4 font-medium">
                  {copy.columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-b last:border-b-0">
                <th scope="row" className="h-7 text-left font-normal">
                  {row.name}
                </th>
                {columns.map(({ name, text }) => (
                  <td key={name} className="pl-4">
                    {text(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
