interface QuestionSelection {
  /** The newest id of an action on everything that matches the filter; `selected` is then ignored. */
  through?: string | undefined;
  selected: readonly string[];
}

/** Hidden fields that carry the selection of a confirmation step through its form. */
export function SelectionFields({ through, selected }: QuestionSelection) {
  return through ? (
    <input type="hidden" name="through" value={through} />
  ) : (
    selected.map((id) => <input key={id} type="hidden" name="id" value={id} />)
  );
}

interface NamedPeopleProps {
  named: readonly { readonly id: string; readonly name: string; readonly email: string }[];
  /** The sentence with the number of further people; undefined when all are named. */
  others: string | undefined;
}

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

interface ColleagueInQuestionProps {
  colleague: { readonly fullName: string; readonly email: string };
  /** What the answer means for them, by sentence. */
  text: readonly string[];
}

/** Names the one colleague a question is about, and says what it means for them. */
export function ColleagueInQuestion({ colleague: { fullName, email }, text }: ColleagueInQuestionProps) {
  return (
    <>
      <p className="border-l-2 pl-3 wrap-anywhere">
        <bdi className="block font-medium">{fullName}</bdi>
        <bdi className="text-muted-foreground">{email}</bdi>
      </p>
      {text.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </>
  );
}
