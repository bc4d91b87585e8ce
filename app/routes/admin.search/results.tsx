import { Form } from "@remix-run/react";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { Link } from "~/components/link";
import { PageLinks } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { Card, CardFooter } from "~/components/ui/card";
import { shellMessages } from "~/content/shell";
import { toPageLinks, type toPage } from "~/http/list-state";
import { paths } from "~/paths";
import type { FoundPerson } from "~/services/search/people-search.server";
import { useReturnTo } from "../admin/appearance-controls";
import type { Group, Hit } from "./sources.server";

const copy = shellMessages.search;

type FoundGroupsProps = { typed: string; groups: readonly Group[]; now: number };

/** Shows the results, one card for each kind. */
export function FoundGroups({ typed, groups, now }: FoundGroupsProps) {
  if (groups.length === 0) return <EmptyList title={copy.nothingTitle(typed)} then={copy.nothing} />;
  return groups.map(({ id, title, hits, among, more }) => (
    <Card key={id} role="region" aria-labelledby={`found-${id}`} className="overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b bg-muted/60 px-4 py-2 text-2xs text-muted-foreground">
        <h2 id={`found-${id}`} className="font-medium">
          {title}
        </h2>
        {among === undefined ? null : <p>{copy.among(among)}</p>}
      </div>
      <ul className="divide-y">
        {hits.map((hit, index) => (
          <HitLine key={index} hit={hit} now={now} />
        ))}
      </ul>
      {more ? (
        <p className="border-t px-4 py-2.5">
          <Link to={more.to} className="font-medium text-primary underline-offset-4 hover:underline">
            {more.name}
          </Link>
        </p>
      ) : null}
    </Card>
  ));
}

const HIT_TITLE =
  "text-left font-medium wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline";

function HitLine({ hit: { to, isFile = false, form, title, detail, at }, now }: { hit: Hit; now: number }) {
  return (
    <li className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 hover:bg-muted/60 sm:flex">
      {form ? (
        <HitForm to={to} form={form} title={title} />
      ) : (
        <Link to={to} reloadDocument={isFile} className={HIT_TITLE}>
          <bdi>{title}</bdi>
        </Link>
      )}
      {detail === undefined ? null : (
        <span className="text-xs wrap-anywhere text-muted-foreground max-sm:order-last max-sm:col-span-2 sm:max-w-1/2 sm:shrink-0">
          <bdi>{detail}</bdi>
        </span>
      )}
      {at === undefined ? null : (
        <Timestamp at={at} now={now} className="ml-auto text-xs text-muted-foreground" />
      )}
    </li>
  );
}

/** A result that acts at once: a button, because nothing changes on GET. */
function HitForm({ to, form, title }: { to: string; form: NonNullable<Hit["form"]>; title: string }) {
  const returnTo = useReturnTo();
  return (
    <Form method="post" action={to}>
      <HiddenFields values={{ ...form, returnTo }} />
      <button type="submit" className={HIT_TITLE}>
        {title}
      </button>
    </Form>
  );
}

type FoundPeopleProps = ReturnType<typeof toPage<FoundPerson>> & { typed: string; now: number };

/** Lists all people found, in pages. */
export function FoundPeople({ typed, rows, older, isNewest, now }: FoundPeopleProps) {
  if (rows.length === 0) {
    return (
      <Card className="px-4 py-10 text-center">
        <p className="mx-auto max-w-[32.8em] text-muted-foreground">{copy.noPeople}</p>
      </Card>
    );
  }
  return (
    <Card>
      <ul className="divide-y">
        {rows.map(({ id, kinds, name, email, created_at }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_7rem_7rem]"
          >
            <Link to={paths.person(id)} className="link font-medium wrap-anywhere">
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
          {...toPageLinks(paths.search, { older, isNewest }, { q: typed, of: "people" })}
        />
      </CardFooter>
    </Card>
  );
}
