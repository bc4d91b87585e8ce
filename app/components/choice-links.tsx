import { Link } from "@remix-run/react";

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
    <nav aria-label={label}>
      <ul className="flex gap-1">
        {choices.map((choice) => (
          <li key={choice}>
            <Link
              to={linkTo(choice)}
              preventScrollReset
              aria-current={choice === chosen ? "true" : undefined}
              className="choice-link"
            >
              {names[choice]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
