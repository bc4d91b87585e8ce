import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Form, Link, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { Search } from "lucide-react";
import { PageHeader } from "~/components/page-header";
import { PageLinks } from "~/components/page-links";
import { Timestamp } from "~/components/timestamp";
import { Button } from "~/components/ui/button";
import { Card, CardFooter } from "~/components/ui/card";
import { Input } from "~/components/ui/input";
import { backOfficeTitle } from "~/content/brand";
import { shellMessages } from "~/content/shell";
import { toPage, toPageLinks } from "~/http/list-state";
import { paths } from "~/paths";
import { access, peopleSearch } from "~/services/container.server";
import type { FoundPerson } from "~/services/search/people-search.server";
import { useReturnTo } from "../admin/appearance-controls";
import { type Group, type Hit, searchAll } from "./sources.server";

const PAGE_SIZE = 50;
const copy = shellMessages.search;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  const person = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const typed = searchParams.get("q") ?? "";
  const view = { typed, failed: false, now: Date.now() };
  if (searchParams.get("of") !== "people")
    return { ...view, groups: await searchAll(typed, person), people: undefined };
  const before = searchParams.get("before") ?? undefined;
  // Finds one more than a page shows, to know whether there is another page.
  const found = await peopleSearch.find({ typed }, { before, limit: PAGE_SIZE + 1 });
  return { ...view, groups: [], people: toPage(found, PAGE_SIZE, before) };
}

/** Handles a failed request: the search opens over any page, and an error must not replace that page. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (error instanceof Response) throw error;
    const typed = new URL(request.url).searchParams.get("q") ?? "";
    return { typed, failed: true, now: Date.now(), groups: [], people: undefined };
  }
}

/** Searches people, campaigns, emails, accounts and the screens themselves. */
export default function SearchPage() {
  const { typed, failed, groups, people, now } = useLoaderData<typeof clientLoader>();
  return (
    <>
      <PageHeader title={people ? copy.peopleTitle : copy.title} state={copy.state} />
      <div className="flex max-w-4xl flex-col gap-6">
        <SearchForm key={typed} typed={typed} of={people ? "people" : undefined} />
        {failed ? <Banner kind="error">{copy.failed}</Banner> : null}
        {people ? <FoundPeople {...people} typed={typed} now={now} /> : null}
        {people || failed ? null : <FoundGroups typed={typed} groups={groups} now={now} />}
      </div>
    </>
  );
}

/** The search field; its text is in the URL. */
function SearchForm({ typed, of }: { typed: string; of: "people" | undefined }) {
  return (
    <Form method="get" action={paths.search} role="search" aria-label={copy.title} className="flex gap-2">
      {of ? <input type="hidden" name="of" value={of} /> : null}
      <div className="relative flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
        />
        <Input
          type="search"
          name="q"
          defaultValue={typed}
          maxLength={254}
          aria-label={copy.field}
          placeholder={copy.placeholder}
          autoComplete="off"
          autoFocus={typed === ""}
          className="pl-9"
        />
      </div>
      <Button type="submit">{copy.submit}</Button>
    </Form>
  );
}

/** Shows the results, one card for each kind. */
function FoundGroups({ typed, groups, now }: { typed: string; groups: readonly Group[]; now: number }) {
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
function FoundPeople({ typed, rows, older, isNewest, now }: FoundPeopleProps) {
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

export { Failure as ErrorBoundary } from "~/components/failure";
