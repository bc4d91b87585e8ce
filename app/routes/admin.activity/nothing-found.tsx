import { Link } from "@remix-run/react";
import { Card } from "~/components/ui/card";
import { paths } from "~/paths";

/** Stands where the entries would: why there are none, and what to do about it. */
export function NothingFound(page: { isWrong: boolean; isFiltered: boolean; isNewest: boolean }) {
  const { title, text } = reasonOf(page);
  return (
    <Card className="px-4 py-10 text-center">
      <div className="mx-auto flex max-w-[52ch] flex-col gap-2">
        <p className="font-medium">{title}</p>
        <p className="text-muted-foreground">
          {text}{" "}
          {!page.isWrong && (page.isFiltered || !page.isNewest) ? (
            <Link to={paths.activity} className="text-primary underline underline-offset-4">
              Show the newest of all
            </Link>
          ) : null}
        </p>
      </div>
    </Card>
  );
}

function reasonOf({ isWrong, isFiltered, isNewest }: Parameters<typeof NothingFound>[0]) {
  if (isWrong) {
    return { title: "Nothing was looked up yet", text: "Correct what is marked above and press Show." };
  }
  if (!isNewest) return { title: "There are no older entries", text: "This is where the activity begins." };
  if (isFiltered) {
    return {
      title: "Nothing matches",
      text: "Nobody did this in these days. Choose fewer conditions, or more days.",
    };
  }
  return {
    title: "Nothing has been done yet",
    text: "Every login, send and unsubscription will stand here, with who did it, when and from where.",
  };
}
