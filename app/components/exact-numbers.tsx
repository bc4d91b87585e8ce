import { ListLink } from "~/components/text-link";
import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "~/components/ui/collapsible";
import {
  Table,
  TableBody,
  TableCaption,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "~/components/ui/table";
import { tableMessages } from "~/content/lists";
import { cn } from "~/lib/utils";

/** Figures on the right, close together, and no space beside the first and the last column. */
const TABLE = cn(
  "text-right whitespace-nowrap tabular-nums",
  "[&_:is(td,th)]:px-0 [&_:is(td,th)+:is(td,th)]:pl-4 [&_td]:py-0 [&_td]:align-middle [&_th:first-child]:text-left",
);

type ExactNumbersProps<Row extends { name: string }> = {
  caption: string;
  rowHead: string;
  columns: readonly { name: string; text: (row: Row) => string }[];
  rows: readonly Row[];
  /** The page that shows what is behind a row. */
  linkTo?: (row: Row) => string;
  className?: string;
};

/** Shows the numbers behind a chart on demand. A table wider than the screen scrolls, also by keyboard. */
export function ExactNumbers<Row extends { name: string }>(props: ExactNumbersProps<Row>) {
  const { caption, rowHead, columns, rows, linkTo, className } = props;
  return (
    <Collapsible className={className}>
      <CollapsibleTrigger className="w-fit text-xs text-primary underline underline-offset-4">
        {tableMessages.exactNumbers}
      </CollapsibleTrigger>
      <CollapsibleContent
        className="relative mt-3 overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={tableMessages.exactNumbers}
      >
        <Table className={TABLE}>
          <TableCaption className="sr-only">{caption}</TableCaption>
          <TableHeader>
            <TableRow className="hover:bg-transparent">
              <TableHead scope="col">{rowHead}</TableHead>
              {columns.map(({ name }) => (
                <TableHead key={name} scope="col">
                  {name}
                </TableHead>
              ))}
            </TableRow>
          </TableHeader>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.name}>
                <TableHead scope="row" className="h-7 text-sm font-normal text-foreground">
                  {linkTo ? <ListLink to={linkTo(row)}>{row.name}</ListLink> : row.name}
                </TableHead>
                {columns.map(({ name, text }) => (
                  <TableCell key={name}>{text(row)}</TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </CollapsibleContent>
    </Collapsible>
  );
}
