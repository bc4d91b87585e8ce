import { Link } from "@remix-run/react";
import { PageLinks } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { Card, CardFooter } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";
import type { FoundPerson } from "~/services/search/people-search.server";

const copy = operatorMessages.shell.search;

type FoundPeopleProps = {
  typed: string;
  rows: readonly FoundPerson[];
  older: string | undefined;
  isNewest: boolean;
  now: number;
};

/** All who are found, a page at a time, each person a line. */
export function FoundPeople({ typed, rows, older, isNewest, now }: FoundPeopleProps) {
  if (rows.length === 0) {
    return (
      <Card className="px-4 py-10 text-center">
        <p className="mx-auto max-w-[52ch] text-muted-foreground">{copy.noPeople}</p>
      </Card>
    );
  }
  const page = paths.searchFor(typed, "people");
  return (
    <Card>
      <ul className="divide-y">
        {rows.map(({ id, kinds, name, email, created_at }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_7rem_7rem]"
          >
            <Link
              to={paths.person(id)}
              className="font-medium wrap-anywhere text-primary underline-offset-4 hover:underline max-md:underline"
            >
              <bdi>{name || email}</bdi>
            </Link>
            <bdi className="font-mono text-xs wrap-anywhere text-muted-foreground max-md:order-2">
              {email}
            </bdi>
            <span className="text-xs text-muted-foreground max-md:order-3 max-md:text-right">
              {kinds.map((kind) => copy.forms[kind]).join(", ")}
            </span>
            <Timestamp
              at={created_at}
              now={now}
              className="text-right text-xs text-muted-foreground max-md:order-1"
            />
          </li>
        ))}
      </ul>
      <CardFooter className="flex-wrap py-2.5">
        <p className="mr-auto text-xs text-muted-foreground tabular-nums">
          {copy.found(rows.length)} on this page
        </p>
        <PageLinks
          title={copy.peopleTitle}
          newest={isNewest ? undefined : page}
          older={older === undefined ? undefined : `${page}&before=${older}`}
        />
      </CardFooter>
    </Card>
  );
}
