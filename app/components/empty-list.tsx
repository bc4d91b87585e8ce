import { TextLink } from "~/components/text-link";
import { Card } from "~/components/ui/card";
import { Empty, EmptyDescription, EmptyHeader, EmptyTitle } from "~/components/ui/empty";

type EmptyListProps = {
  title: string;
  /** A sentence that says how entries get here, or a link to where there are some and the text before it. */
  then: string | { to: string; name: string; text?: string };
};

export function EmptyList({ title, then }: EmptyListProps) {
  return (
    <Card>
      <Empty>
        <EmptyHeader>
          <EmptyTitle>{title}</EmptyTitle>
          <EmptyDescription>
            {typeof then === "string" ? (
              then
            ) : (
              <>
                {then.text} <TextLink to={then.to}>{then.name}</TextLink>
              </>
            )}
          </EmptyDescription>
        </EmptyHeader>
      </Empty>
    </Card>
  );
}
