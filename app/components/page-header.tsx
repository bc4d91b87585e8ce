import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Timestamp } from "~/components/timestamp";
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbSeparator,
} from "~/components/ui/breadcrumb";

type PageHeaderProps = {
  title: string;
  /** The list that the page's subject is in; the scroll position stays where the list is beside the page already. */
  parent?: { to: string; name: string; preventScrollReset?: boolean };
  /** One sentence about the current state: "Addresses here get no emails." */
  state?: ReactNode;
  /** A second sentence that ends with the time of the newest entry: "Last added 4 minutes ago." */
  latest?: { text: string; at: number; now: number } | undefined;
  actions?: ReactNode;
};

export function PageHeader({ title, parent, state, latest, actions }: PageHeaderProps) {
  return (
    <header className="mb-2 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-80 flex-wrap items-baseline gap-x-3">
        <div className="flex flex-wrap items-baseline gap-x-2">
          {parent ? <ParentLink {...parent} /> : null}
          <h1 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">
            <bdi>{title}</bdi>
          </h1>
        </div>
        {state ? (
          <p className="max-w-[58em] text-sm text-muted-foreground">
            {state}
            {latest ? (
              <>
                {" "}
                {latest.text} <Timestamp at={latest.at} now={latest.now} />.
              </>
            ) : null}
          </p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}

/** Leads back to the list; the title beside it is the trail's end. */
function ParentLink({ name, ...link }: NonNullable<PageHeaderProps["parent"]>) {
  return (
    <Breadcrumb>
      <BreadcrumbList className="text-lg tracking-tight">
        <BreadcrumbItem>
          <BreadcrumbLink asChild>
            <Link {...link}>{name}</Link>
          </BreadcrumbLink>
        </BreadcrumbItem>
        <BreadcrumbSeparator />
      </BreadcrumbList>
    </Breadcrumb>
  );
}
