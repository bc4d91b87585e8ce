import { TextLink } from "~/components/text-link";
import { Card } from "~/components/ui/card";

type EmptyListProps = {
  title: string;
  /** A sentence that says how entries get here, or a link to where there are some and the text before it. */
  then: string | { to: string; name: string; text?: string };
};

export function EmptyList({ title, then }: EmptyListProps) {
  return (
    <Card className="px-4 py-12 text-center">
      <div className="mx-auto flex max-w-[35.3em] flex-col gap-2">
        <h2 className="font-medium">{title}</h2>
        {typeof then === "string" ? (
          <p className="text-muted-foreground">{then}</p>
        ) : (
          <p className="text-muted-foreground">
            {then.text} <TextLink to={then.to}>{then.name}</TextLink>
          </p>
        )}
      </div>
    </Card>
  );
}
