import { EmptyList } from "~/components/empty-list";
import { paths } from "~/paths";

const newest = { to: paths.activity, name: "Show the newest of all" };

/** Stands where the entries would: why there are none, and what to do about it. */
export function NothingFound(page: { isWrong: boolean; isFiltered: boolean; isNewest: boolean }) {
  if (page.isWrong) {
    const text = "Correct what is marked above and press Show.";
    return <EmptyList title="Nothing was looked up yet" then={text} />;
  }
  if (!page.isNewest) {
    const text = "This is where the activity begins.";
    return <EmptyList title="There are no older entries" then={{ ...newest, text }} />;
  }
  if (page.isFiltered) {
    const text = "Nobody did this in these days. Choose fewer conditions, or more days.";
    return <EmptyList title="Nothing matches" then={{ ...newest, text }} />;
  }
  const text = "Every login, send and unsubscription will stand here, with who did it, when and from where.";
  return <EmptyList title="Nothing has been done yet" then={text} />;
}
