interface Whom {
  /** Everything that matches, up to this one: then the selected rows do not matter. */
  through: string | undefined;
  selected: readonly string[];
}

/** Carries whom a question is about through its form. */
export function WhomFields({ through, selected }: Whom) {
  return through ? (
    <input type="hidden" name="through" value={through} />
  ) : (
    selected.map((id) => <input key={id} type="hidden" name="id" value={id} />)
  );
}

interface NamedPeopleProps {
  named: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  /** That there are others, and how many; absent when all are named. */
  others: string | undefined;
}

/** Whose things a question is about, as far as they are named. */
export function NamedPeople({ named, others }: NamedPeopleProps) {
  return (
    <ul className="flex flex-col gap-1 border-l-2 pl-3">
      {named.map(({ id, name, email }) => (
        <li key={id} className="wrap-anywhere">
          <bdi className="line-clamp-2 font-medium">{name}</bdi>
          <bdi className="line-clamp-2 font-mono text-xs text-muted-foreground">{email}</bdi>
        </li>
      ))}
      {others === undefined ? null : <li className="text-muted-foreground">{others}</li>}
    </ul>
  );
}
