import { Link } from "@remix-run/react";
import { paths } from "~/paths";

/** An address that leads to all that is kept of its person; plain where nothing came from it, or nothing is left. */
export function PersonLink({ id, children }: { id: string | undefined; children: string }) {
  if (id === undefined) return <bdi>{children}</bdi>;
  return (
    <Link to={paths.person(id)} className="underline-offset-4 hover:underline max-md:underline">
      <bdi>{children}</bdi>
    </Link>
  );
}
