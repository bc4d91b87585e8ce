import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Form, Link, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { EmptyList } from "~/components/empty-list";
import { HiddenFields } from "~/components/hidden-fields";
import { Search } from "lucide-react";
import { PageHeader } from "~/components/page-header";
import { useReturnTo } from "~/components/shell/appearance-controls";
import {
  SEARCH_MAX_LENGTH,
  type Hit,
  type HitGroup,
  type SearchResults,
} from "~/components/shell/search-results";
import { Timestamp } from "~/components/timestamp";
import { Button } from "~/components/ui/button";
import { Card, CardAction, CardFooter, CardHeader, CardTitle } from "~/components/ui/card";
import { InputGroup, InputGroupAddon, InputGroupInput } from "~/components/ui/input-group";
import { backOfficeTitle } from "~/components/use-brand";
import { shellMessages } from "~/content/shell";
import { paths } from "~/paths";
import { access } from "~/services/container.server";
import { searchAll } from "./sources.server";

const copy = shellMessages.search;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

interface SearchView extends SearchResults {
  readonly now: number;
}

export async function loader({ request }: LoaderFunctionArgs): Promise<SearchView> {
  const operator = await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const typed = searchParams.get("q") ?? "";
  const view = { typed, failed: false, now: Date.now() };
  return { ...view, groups: await searchAll(typed, operator) };
}

/** Handles a failed request: the search opens over any page, and an error must not replace that page. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<SearchView> {
  try {
    return await serverLoader<SearchView>();
  } catch (error) {
    if (error instanceof Response) throw error;
    const typed = new URL(request.url).searchParams.get("q") ?? "";
    return { typed, failed: true, now: Date.now(), groups: [] };
  }
}

/** Shows what was found by source (sources.server.ts). */
export default function SearchPage() {
  const { typed, failed, groups, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title={copy.title} state={copy.state} />
      <div className="flex max-w-4xl flex-col gap-6">
        <SearchForm key={typed} typed={typed} />
        {failed ? <Banner kind="error">{copy.failed}</Banner> : null}
        {failed ? null : <FoundGroups typed={typed} groups={groups} now={now} />}
      </div>
    </>
  );
}

/** The search field; its text is in the URL. */
function SearchForm({ typed }: { typed: string }) {
  return (
    <Form method="get" action={paths.search} role="search" aria-label={copy.title} className="flex gap-2">
      <InputGroup>
        <InputGroupInput
          type="search"
          name="q"
          defaultValue={typed}
          maxLength={SEARCH_MAX_LENGTH}
          aria-label={copy.field}
          placeholder={copy.placeholder}
          autoComplete="off"
          autoFocus={typed === ""}
        />
        <InputGroupAddon>
          <Search aria-hidden />
        </InputGroupAddon>
      </InputGroup>
      <Button type="submit">{copy.submit}</Button>
    </Form>
  );
}

/** Shows the results, one card for each kind. */
function FoundGroups({ typed, groups, now }: { typed: string; groups: readonly HitGroup[]; now: number }) {
  if (groups.length === 0) return <EmptyList title={copy.nothingTitle(typed)} description={copy.nothing} />;
  return groups.map(({ id, title, hits, among, more }) => (
    <Card key={id} role="region" aria-labelledby={`found-${id}`} className="overflow-hidden">
      <CardHeader className="border-b">
        <CardTitle id={`found-${id}`}>{title}</CardTitle>
        {among === undefined ? null : (
          <CardAction className="text-xs text-muted-foreground">{copy.among(among)}</CardAction>
        )}
      </CardHeader>
      <ul className="divide-y">
        {hits.map((hit, index) => (
          <HitLine key={index} hit={hit} now={now} />
        ))}
      </ul>
      {more ? (
        <CardFooter className="py-2.5">
          <Link to={more.to} className="font-medium text-primary underline-offset-4 hover:underline">
            {more.name}
          </Link>
        </CardFooter>
      ) : null}
    </Card>
  ));
}

const HIT_TITLE =
  "text-left font-medium wrap-anywhere underline-offset-4 after:absolute after:inset-0 hover:underline";

function HitLine({ hit: { to, form, title, detail, at }, now }: { hit: Hit; now: number }) {
  return (
    <li
      data-row
      className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 px-4 py-2.5 hover:bg-muted/60 sm:flex"
    >
      {form ? (
        <HitForm to={to} form={form} title={title} />
      ) : (
        <Link to={to} className={HIT_TITLE}>
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

export { Failure as ErrorBoundary } from "~/components/failure";
