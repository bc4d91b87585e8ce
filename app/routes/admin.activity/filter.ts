import { outcomes } from "~/content/activity-sentences";
import type { Outcome } from "~/content/activity-sentences";
import { anyText, dayFields, listState, oneOf } from "~/http/list-state";
import type { ActivityFilter } from "~/services/audit/activity.server";

export const activityList = listState(
  {
    who: anyText,
    action: anyText,
    outcome: oneOf(Object.keys(outcomes) as Outcome[]),
    from: dayFields.from,
    to: dayFields.to,
  },
  ({ who, action, outcome, from, to }): ActivityFilter => ({
    actor: who,
    action,
    outcome,
    from,
    until: to,
  }),
);
