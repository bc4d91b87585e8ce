import { Link } from "@remix-run/react";
import { paths } from "~/paths";

/** Links an address to the page of its person; plain text when no submission of theirs exists. */
export function PersonLink({ id, children }: { id: string | undefined; children: string }) {
  if (id === undefined) return <bdi>{children}</bdi>;
  return (
    <Link to={paths.person(id)} className="underline-offset-4 hover:underline max-md:underline">
      <bdi>{children}</bdi>
    </Link>
  );
}
