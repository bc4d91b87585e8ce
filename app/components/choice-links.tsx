import { Link, type LinkProps } from "@remix-run/react";
import { cn } from "~/lib/class-names";

type ChoiceLinksProps<Choice extends string> = {
  label: string;
  choices: readonly Choice[];
  chosen: Choice;
  names: Readonly<Record<Choice, string>>;
  linkTo: (choice: Choice) => LinkProps["to"];
};

/** Renders a few views of the same data as links; the selected one is in the URL. */
export function ChoiceLinks<Choice extends string>(props: ChoiceLinksProps<Choice>) {
  const { label, choices, chosen, names, linkTo } = props;
  return (
    <nav aria-label={label}>
      <ul className="flex gap-1">
        {choices.map((choice) => (
          <li key={choice}>
            <Link
              to={linkTo(choice)}
              preventScrollReset
              aria-current={choice === chosen ? "true" : undefined}
              className={cn(
                "inline-flex h-8 items-center rounded-md border px-2.5 text-xs transition-colors pointer-coarse:h-11",
                choice === chosen
                  ? "border-primary/40 bg-primary-surface font-medium text-primary"
                  : "border-transparent text-muted-foreground hover:bg-muted hover:text-foreground",
              )}
            >
              {names[choice]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
