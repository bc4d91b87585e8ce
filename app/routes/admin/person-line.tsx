import { Link } from "~/components/link";
import { Badge } from "~/components/ui/badge";
import { cn } from "~/lib/class-names";
import { paths } from "~/paths";

export interface Person {
  email: string;
  fullName: string;
  role: string;
  firstPage?: string | undefined;
}

/** The signed-in account: in the top bar, and on small screens above the menu. */
export function PersonLine({ person, className }: { person: Person; className: string }) {
  return (
    <p className={cn("min-w-0 items-center gap-2 text-xs text-muted-foreground", className)}>
      <span className="sr-only">Signed in as </span>
      {person.firstPage ? (
        <bdi title={person.email} className="max-w-64 truncate">
          {person.fullName || person.email}
        </bdi>
      ) : (
        <Link
          to={paths.sessions}
          title={`${person.email}: my sessions`}
          className="quiet-link max-w-64 truncate"
        >
          <bdi>{person.fullName || person.email}</bdi>
        </Link>
      )}
      <Badge>{person.role}</Badge>
    </p>
  );
}
