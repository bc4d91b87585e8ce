import { Form, Link } from "@remix-run/react";
import { Timestamp } from "~/components/timestamp";
import { Card } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import { useReturnTo } from "../admin/appearance-controls";
import type { Group, Hit } from "./search-source";

const copy = operatorMessages.shell.search;

type FoundGroupsProps = { typed: string; groups: readonly Group[]; now: number };

/** What was found, a card a kind. */
export function FoundGroups({ typed, groups, now }: FoundGroupsProps) {
  if (groups.length === 0) {
    return (
      <Card className="px-4 py-10 text-center">
        <div className="mx-auto flex max-w-[52ch] flex-col gap-2">
          <p className="font-medium wrap-anywhere">{copy.nothingTitle(typed)}</p>
          <p className="text-muted-foreground">{copy.nothing}</p>
        </div>
      </Card>
    );
  }
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

/** Something that is done at once: a button, because nothing changes on GET. */
function HitForm({ to, form, title }: { to: string; form: NonNullable<Hit["form"]>; title: string }) {
  const returnTo = useReturnTo();
  return (
    <Form method="post" action={to}>
      {Object.entries({ ...form, returnTo }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className={HIT_TITLE}>
        {title}
      </button>
    </Form>
  );
}
