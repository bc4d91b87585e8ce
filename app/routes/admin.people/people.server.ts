import { readPage, readPlace } from "~/http/list-state";
import { isFiltered, peopleList as listUrl } from "~/http/lists/people-list";
import type { ListPage } from "~/lib/list-page";
import { outreach, peopleList } from "~/services/container.server";
import { toFormKinds } from "~/services/people/person-forms";
import { formatValue } from "~/services/submissions/submission-columns";

const PAGE_SIZE = 25;
/** Latest campaigns to choose from. */
const CAMPAIGNS = 50;

/**
 * Builds the list of people from its URL: `?q=`, `&form=`, `&role=`, `&company=`, `&domain=`, `&source=`,
 * `&mail=`, `&confirmed=`, `&campaign=` and `&got=`, `&invitation=`, `&from=` and `&to=` filter, `&sort=` and `&order=`
 * order, `&before=` and `&after=` are pages.
 */
export async function getPeopleView(search: URLSearchParams, timeZone: string) {
  const read = listUrl.read(search, timeZone);
  /** What the list found besides its rows; `readPage` calls it again where the page is gone. */
  let found: Omit<Awaited<ReturnType<typeof peopleList.list>>, "rows"> | undefined;
  const list = async (page: ListPage) => {
    if (!read.ok) return [];
    const { rows, ...others } = await peopleList.list(read.filter.matching, {
      order: read.filter.order,
      ...page,
    });
    found = others;
    return rows;
  };
  const direction = read.ok ? read.filter.order.direction : undefined;
  const [count, isComplete, { rows, ...page }, campaigns, hasWaves] = await Promise.all([
    peopleList.count(),
    peopleList.isComplete(),
    readPage(readPlace(search), PAGE_SIZE, list, direction),
    outreach.listCampaignTitles(CAMPAIGNS, read.values.campaign || undefined),
    peopleList.hasInvitations(),
  ]);
  const isEverybodyCounted = !isFiltered(read.values) && !count.isMore;
  return {
    count,
    isComplete,
    rows: rows.map(({ forms, role, ...row }) => ({
      ...row,
      role: formatValue("role", role),
      forms: toFormKinds(forms),
    })),
    ...page,
    total: isEverybodyCounted ? count.count : found?.total,
    isTooCommon: found?.isTooCommon ?? false,
    isMany: found?.isMany ?? false,
    /** Choices of the filter by a campaign that people got, or did not get. */
    campaigns,
    hasWaves,
    now: Date.now(),
    values: read.values,
    errors: read.ok ? undefined : read.errors,
  };
}

export type PeopleView = Awaited<ReturnType<typeof getPeopleView>>;
