import { outcomes, type Outcome } from "~/content/activity-sentences";
import { anyText, dayFields, listState, oneOf } from "../list-state";
import type { ActivityFilter } from "~/services/audit/activity.server";

export const activityList = listState(
  {
    who: anyText,
    action: anyText,
    outcome: oneOf(Object.keys(outcomes) as Outcome[]),
    ...dayFields,
  },
  ({ who, to, ...others }): ActivityFilter => ({ actor: who, until: to, ...others }),
);
