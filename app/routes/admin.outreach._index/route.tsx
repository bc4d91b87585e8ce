import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { DiscardedDraft } from "~/components/discarded-draft";
import { EmptyList } from "~/components/empty-list";
import { PenLine } from "lucide-react";
import { keepForm } from "~/components/keep-form";
import { Notice } from "~/components/notice";
import { PageHeader } from "~/components/page-header";
import { SentList } from "~/components/sent-list";
import { Timestamp } from "~/components/timestamp";
import { ButtonLink } from "~/components/button-link";
import { IntentButton } from "~/components/intent-button";
import { Card, CardDescription, CardHeader, CardTitle } from "~/components/ui/card";
import { backOfficeTitle } from "~/content/brand";
import { summarizeHold } from "~/content/campaign-hold";
import { campaignsMessages as copy } from "~/content/campaigns";
import { outreachMessages } from "~/content/outreach";
import { report } from "~/http/action-result.server";
import { readForm } from "~/http/form-data.server";
import { linkTo, toPage, toPageLinks } from "~/http/list-state";
import { days } from "~/lib/durations";
import { typed } from "~/lib/parse-form";
import { UTC } from "~/lib/zoned-time";
import { paths } from "~/paths";
import { discardDraft, restoreDraft } from "~/routes/admin.dashboard/actions.server";
import { access, appearanceCookie, outreach } from "~/services/container.server";
import type { Draft } from "~/services/outreach/campaign-stats.server";
import { DRAFT_LIFETIME_MS } from "~/services/sweep-in-chunks.server";

const PAGE_SIZE = 50;
const DRAFTS = 10;

export const meta: MetaFunction = () => [{ title: backOfficeTitle(copy.title) }];

export async function loader({ request }: LoaderFunctionArgs) {
  await access.requireAccount(request);
  const { searchParams } = new URL(request.url);
  const before = searchParams.get("before") ?? undefined;
  const { timeZone } = await appearanceCookie.read(request);
  const [found, drafts] = await Promise.all([
    outreach.listCampaigns(PAGE_SIZE + 1, before),
    outreach.listLatestDrafts(DRAFTS),
  ]);
  const { rows, ...page } = toPage(found, PAGE_SIZE, before);
  return {
    drafts,
    campaigns: rows.map(({ waiting, ...campaign }) => ({
      ...campaign,
      to: paths.outreachCampaign(campaign.id),
      hold: waiting && summarizeHold(waiting, timeZone || UTC),
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
  const { intent, draft = "" } = typed(await readForm(request));
  if (intent === "restore") return restoreDraft(draft, paths.campaigns);
  if (intent === "discard") return discardDraft(draft, paths.campaigns);
  return report(undefined, paths.campaigns);
}

export const clientAction = keepForm();

/** The Campaigns screen: all campaigns, and the unsent drafts. */
export default function Campaigns() {
  const { drafts, campaigns, older, isNewest, keptDays, discarded, now } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title={copy.title}
        state={copy.state}
        actions={
          <ButtonLink to={paths.outreach}>
            <PenLine aria-hidden />
            {copy.write}
          </ButtonLink>
        }
      />
      <Notice className="mb-4" />
      <DiscardedDraft draftId={discarded} action={paths.campaigns} className="mb-4" />
      <div className="flex flex-col gap-6">
        {isNewest && drafts.length > 0 ? <Drafts drafts={drafts} keptDays={keptDays} now={now} /> : null}
        <SentList
          caption={copy.listTitle}
          names={{ ...copy.columns, audience: copy.columns.group }}
          rows={campaigns}
          now={now}
          empty={<EmptyList title={copy.emptyTitle} then={copy.empty} />}
          paging={{ entries: "campaigns", ...toPageLinks(paths.campaigns, { older, isNewest }) }}
        />
      </div>
    </>
  );
}

/** Lists the unsent drafts; each links to the form. */
function Drafts({ drafts, keptDays, now }: { drafts: Draft[]; keptDays: number; now: number }) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{copy.drafts}</CardTitle>
        <CardDescription>{copy.draftRetention(keptDays)}</CardDescription>
      </CardHeader>
      <ul className="mt-3 divide-y border-t">
        {drafts.map(({ id, title, audience, created_by, touched_at, touched_by }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
              <Link
                to={linkTo(paths.outreach, { draft: id })}
                className="max-w-full min-w-0 truncate font-medium underline-offset-4 hover:underline"
              >
                <bdi>{title || copy.noTitle}</bdi>
              </Link>
              <span className="text-muted-foreground">{audience}</span>
              <span className="text-xs text-muted-foreground md:ml-auto">
                <bdi>{copy.savedBy(touched_by || created_by)}</bdi>, <Timestamp at={touched_at} now={now} />
              </span>
            </div>
            <Form method="post" action={paths.campaigns}>
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
    </Card>
  );
}

export { Failure as ErrorBoundary } from "~/components/failure";
