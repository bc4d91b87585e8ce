import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Form, useLoaderData } from "@remix-run/react";
import { Banner } from "~/components/banner";
import { Search } from "~/components/icons";
import { PageHeader } from "~/components/page-header";
import { Button } from "~/components/ui/button";
import { Input } from "~/components/ui/input";
import { backOfficeTitle } from "~/content/brand";
import { shellMessages } from "~/content/shell";
import { toPage } from "~/http/list-state";
import { paths } from "~/paths";
import { access, peopleSearch } from "~/services/container.server";
import { FoundGroups, FoundPeople } from "./results";
import { searchAll } from "./sources.server";

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
          size="dense"
          defaultValue={typed}
          maxLength={254}
          aria-label={copy.field}
          placeholder={copy.placeholder}
          autoComplete="off"
          autoFocus={typed === ""}
          className="pl-9"
        />
      </div>
      <Button type="submit" size="dense">
        {copy.submit}
      </Button>
    </Form>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
