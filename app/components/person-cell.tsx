import type { ReactNode } from "react";
import { toTooltip } from "~/components/data-table";
import { EmailAddress } from "~/components/email-address";
import { RowLink } from "~/components/list-detail";
import { ListLink } from "~/components/text-link";

type PersonCellProps = {
  name: string;
  email: string;
  /** Where the name leads. */
  to: string;
  /** Whether that opens beside the list; else it is a page of its own. */
  isBeside: boolean;
  /** Follows the name. */
  mark?: ReactNode;
};

/** A cell with somebody's name, which is a link, and their address: in one line, below md in two. Without a name the address is the link. */
export function PersonCell({ name, email, to, isBeside, mark }: PersonCellProps) {
  const NameLink = isBeside ? RowLink : ListLink;
  return (
    <div className="md:flex md:gap-2.5">
      <div className="flex items-start gap-2 md:max-w-[60%] md:shrink-0 md:items-center beside:max-w-full">
        <NameLink to={to} className="min-w-0 font-medium">
          <bdi title={toTooltip(name)} className="line-clamp-2 md:line-clamp-1 md:break-all">
            {name || email}
          </bdi>
        </NameLink>
        {mark}
      </div>
      {name === "" ? null : <EmailAddress address={email} />}
    </div>
  );
}
