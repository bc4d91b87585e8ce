import { Link } from "@remix-run/react";
import { ToggleGroup, ToggleGroupItem } from "~/components/ui/toggle-group";

type ChoiceLinksProps<Choice extends string> = {
  label: string;
  choices: readonly Choice[];
  chosen: Choice;
  names: Readonly<Record<Choice, string>>;
  linkTo: (choice: Choice) => string;
};

/** Renders a few views of the same data as links; the selected one is in the URL. */
export function ChoiceLinks<Choice extends string>(props: ChoiceLinksProps<Choice>) {
  const { label, choices, chosen, names, linkTo } = props;
  return (
    <ToggleGroup asChild variant="outline">
      <nav aria-label={label}>
        {choices.map((choice) => (
          <ToggleGroupItem key={choice} asChild aria-current={choice === chosen ? "true" : undefined}>
            <Link to={linkTo(choice)} preventScrollReset>
              {names[choice]}
            </Link>
          </ToggleGroupItem>
        ))}
      </nav>
    </ToggleGroup>
  );
}
