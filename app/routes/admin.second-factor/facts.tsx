import { Link } from "@remix-run/react";
import { operatorMessages } from "~/content/operator-messages";
import { paths } from "~/paths";

const copy = operatorMessages.secondFactor.facts;

/** @param isOpen whether the page it links to is. */
export function Facts({ isOpen }: { isOpen: boolean }) {
  return (
    <aside aria-labelledby="good-to-know" className="lg:pt-2">
      <h2 id="good-to-know" className="text-sm font-semibold">
        {copy.title}
      </h2>
      <ul className="mt-3 flex max-w-[60ch] list-none flex-col gap-3 text-sm text-muted-foreground">
        {copy.list.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {isOpen ? (
          <li>
            <Link to={paths.sessions} className="text-primary underline underline-offset-4">
              {copy.sessions}
            </Link>
          </li>
        ) : null}
      </ul>
    </aside>
  );
}
