import { EmptyList } from "~/components/empty-list";
import { paths } from "~/paths";

const newest = { to: paths.activity, name: "Show the newest entries" };

/** Stands where the entries would: why there are none, and what to do about it. */
export function NothingFound(page: { isWrong: boolean; isFiltered: boolean; isNewest: boolean }) {
  if (page.isWrong) {
    const text = "Correct the marked fields above and press Apply.";
    return <EmptyList title="Nothing was searched yet" then={text} />;
  }
  if (!page.isNewest) {
    const text = "This is the beginning of the activity.";
    return <EmptyList title="No older entries" then={{ ...newest, text }} />;
  }
  if (page.isFiltered) {
    const text = "Try fewer filters or more days.";
    return <EmptyList title="Nothing matches" then={{ ...newest, text }} />;
  }
  const text = "Logins, campaigns and unsubscriptions appear here: who, when and from where.";
  return <EmptyList title="No activity yet" then={text} />;
}
