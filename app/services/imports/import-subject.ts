import { formatCount } from "~/lib/format-number";

/** Names an import in the audit, which has no address of anybody. */
export const formatSubject = ({ file_name }: { file_name: string }, people: number) =>
  `${file_name} (${formatCount(people, "person", "people")})`;
