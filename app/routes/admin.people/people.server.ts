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
  let matching: number | undefined;
  let isTooCommon = false;
  let isMany = false;
  const list = async (page: ListPage) => {
    if (!read.ok) return [];
    const { rows, total, ...found } = await peopleList.list(read.filter.matching, {
      order: read.filter.order,
      ...page,
    });
    matching = total;
    ({ isTooCommon, isMany } = found);
    return rows;
  };
  const direction = read.ok ? read.filter.order.direction : undefined;
  const [count, isComplete, { rows, ...page }, campaigns, hasWaves] = await Promise.all([
    peopleList.count(),
    peopleList.isComplete(),
    readPage(readPlace(search), PAGE_SIZE, list, direction),
    outreach.listCampaignTitles(CAMPAIGNS, read.values.campaign),
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
    total: isEverybodyCounted ? count.count : matching,
    isTooCommon,
    isMany,
    /** To choose those from who got one, or did not. */
    campaigns,
    hasWaves,
    now: Date.now(),
    values: read.values,
    errors: read.ok ? undefined : read.errors,
  };
}

export type PeopleView = Awaited<ReturnType<typeof getPeopleView>>;
