import { toTooltip } from "~/components/data-table";

/** Shows an address after a name: in up to two lines, from md on in one. Hidden while a row is open beside the list. */
export function EmailAddress({ address }: { address: string }) {
  return (
    <bdi
      title={toTooltip(address)}
      className="line-clamp-2 min-w-0 font-mono text-xs leading-5 text-muted-foreground md:line-clamp-1 md:break-all beside:hidden"
    >
      {address}
    </bdi>
  );
}
