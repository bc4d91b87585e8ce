import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { DiscardedDraft } from "~/components/discarded-draft";
import { EmptyList } from "~/components/empty-list";
import { PenLine } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { ListDetail, useIsRowOpen } from "~/components/list-detail";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { PageLinks } from "~/components/page-links";
import { SavedViews, SaveViewLink } from "~/components/saved-views";
import { SentList } from "~/components/sent-list";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/components/use-brand";
import { summarizeHold } from "~/content/campaign-hold";
import { campaignsMessages as copy } from "~/content/campaigns";
import { tableMessages } from "~/content/lists";
import { outreachMessages } from "~/content/outreach";
import { report } from "~/http/action-result.server";
import { discardDraft, restoreDraft } from "~/http/draft-actions.server";
import { readForm } from "~/http/form-data.server";
import { readListSearch } from "~/http/list-detail";
import { linkTo, readPage, readPlace, toPageLinks, type Place, type UrlState } from "~/http/list-state";
import { campaignsList } from "~/http/lists/campaigns-list";
import { days } from "~/lib/durations";
import { firstValues } from "~/lib/parse-form";
import { paths } from "~/paths";
import { access, outreach, savedViews } from "~/services/container.server";
import { CAMPAIGN_SORTS } from "~/services/outreach/campaign-sorts";
import type { Draft } from "~/services/outreach/campaign-lists.server";
import { DRAFT_LIFETIME_MS } from "~/services/drafts/abandoned-drafts.server";

const PAGE_SIZE = 50;
const DRAFTS_PAGE_SIZE = 10;

export const meta: MetaFunction = ({ matches }) => [{ title: backOfficeTitle(matches, copy.title) }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const operator = await access.requireAccount(request);
  const searchParams = readListSearch(request, params);
  const { values, filter: order } = campaignsList.readLoosely(searchParams);
  const [{ rows, ...page }, drafts, views] = await Promise.all([
    readPage(
      readPlace(searchParams),
      PAGE_SIZE,
      (page) => outreach.listCampaigns(page, order),
      order.direction,
    ),
    readPage(readPlace(searchParams, "drafts"), DRAFTS_PAGE_SIZE, outreach.listDrafts),
    savedViews.list(operator, paths.campaigns),
  ]);
  return {
    values,
    drafts,
    views,
    campaigns: rows.map(({ waiting, narrowing, wave, ...campaign }) => ({
      ...campaign,
      audience: copy.group(campaign.audience, narrowing, wave),
      to: paths.outreachCampaign(campaign.id),
      hold: waiting && summarizeHold(waiting, operator.timeZone),
    })),
    ...page,
    keptDays: DRAFT_LIFETIME_MS / days(1),
    discarded: searchParams.get("discarded") ?? undefined,
    now: Date.now(),
  };
}

/** Discards a draft of the list, or restores it. */
export async function action({ request }: ActionFunctionArgs) {
  await access.requireAccount(request);
  const { intent, draft = "" } = firstValues(await readForm(request));
  const { searchParams } = new URL(request.url);
  const { values } = campaignsList.readLoosely(searchParams);
  const list = toDraftsPage(values, readPlace(searchParams, "drafts"));
  if (intent === "restore") return restoreDraft(outreach, draft, list);
  if (intent === "discard") return discardDraft(outreach, draft, list);
  return report(undefined, list);
}

/** Returns the link to the list in an order, with a page of its drafts. */
function toDraftsPage(values: UrlState, { before, after }: Place): string {
  return linkTo(paths.campaigns, { ...values, "drafts-before": before, "drafts-after": after });
}

export const clientAction = keepForm();

export { shouldReloadList as shouldRevalidate } from "~/http/list-detail";

/** The Campaigns screen: all campaigns, and the unsent drafts; a campaign opens beside the list. */
export default function Campaigns() {
  const { values, drafts, views, campaigns, keptDays, discarded, now, ...page } =
    useLoaderData<typeof loader>();
  const saved = { list: paths.campaigns, values, views };
  const draftsPage = toDraftsPage(values, drafts.place);
  const isRowOpen = useIsRowOpen();
  const top = (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state}
        actions={
          <>
            <SaveViewLink {...saved} />
            <ButtonLink to={paths.outreachPanel}>
              <PenLine aria-hidden />
              {copy.write}
            </ButtonLink>
          </>
        }
      />
      {isRowOpen ? null : <Notice className="mb-4" />}
      <DiscardedDraft draftId={discarded} action={draftsPage} className="mb-4" />
      {page.isFirst && (drafts.rows.length > 0 || !drafts.isFirst) ? (
        <Drafts
          drafts={drafts.rows}
          action={draftsPage}
          links={toPageLinks(paths.campaigns, drafts, values, "drafts")}
          keptDays={keptDays}
          now={now}
        />
      ) : null}
      <SavedViews {...saved} className="mb-2" />
    </>
  );
  return (
    <ListDetail top={top}>
      <SentList
        caption={copy.listTitle}
        names={{ ...copy.columns, audience: copy.columns.group }}
        rows={campaigns}
        now={now}
        empty={<EmptyList title={copy.emptyTitle} description={copy.empty} />}
        sorting={{ path: paths.campaigns, sorts: CAMPAIGN_SORTS, values }}
        paging={{
          newestNoun: values.sort || values.order ? undefined : "campaigns",
          ...toPageLinks(paths.campaigns, page, values),
        }}
        opensBeside
      />
    </ListDetail>
  );
}

interface DraftsProps {
  drafts: readonly Draft[];
  /** The address of their forms: the list as it is shown. */
  action: string;
  links: ReturnType<typeof toPageLinks>;
  keptDays: number;
  now: number;
}

/** Lists the unsent drafts; each links to the form. */
function Drafts({ drafts, action, links, keptDays, now }: DraftsProps) {
  return (
    <Card className="mb-6">
      <CardHeader>
        <CardTitle>{copy.drafts}</CardTitle>
        <CardDescription>{copy.draftRetention(keptDays)}</CardDescription>
      </CardHeader>
      {drafts.length === 0 ? (
        <p className="mt-3 border-t px-4 py-3 text-muted-foreground">{tableMessages.noOlder}</p>
      ) : null}
      <ul className="mt-3 divide-y border-t empty:hidden">
        {drafts.map(({ id, title, audience, narrowing, created_by, touched_at, touched_by }) => (
          <li key={id} data-row className="flex items-center gap-3 px-4 py-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
              <Link
                to={linkTo(paths.outreachPanel, { draft: id })}
                className="max-w-full min-w-0 truncate font-medium underline-offset-4 hover:underline"
              >
                <bdi>{title || copy.noTitle}</bdi>
              </Link>
              <span className="text-muted-foreground">{copy.group(audience, narrowing)}</span>
              <span className="text-xs text-muted-foreground md:ml-auto">
                <bdi>{copy.savedBy(touched_by || created_by)}</bdi>, <Timestamp at={touched_at} now={now} />
              </span>
            </div>
            <Form method="post" action={action}>
              <input type="hidden" name="draft" value={id} />
              <IntentButton
                intent="discard"
                variant="ghost"
                aria-label={outreachMessages.discardWhat(title || copy.noTitle)}
              >
                {outreachMessages.discard}
              </IntentButton>
            </Form>
          </li>
        ))}
      </ul>
      <PageLinks title={copy.drafts} newestNoun="drafts" {...links} className="border-t px-4 py-2" />
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
