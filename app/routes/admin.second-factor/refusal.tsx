import { Banner } from "~/components/banner";
import type { SecondFactorAnswer } from "./actions.server";

export type Refused = Extract<SecondFactorAnswer, { kind: "refused" }>;

/** What was refused; the fields that are at fault say why themselves. */
export function Refusal({ refused }: { refused: Refused | undefined }) {
  if (!refused) return null;
  return (
    <Banner kind="error">
      <p className="font-medium">{refused.message}</p>
      {refused.advice ? <p>{refused.advice}</p> : null}
    </Banner>
  );
}
