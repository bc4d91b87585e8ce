import { SUBMISSION_KINDS } from "~/lib/form-fields";
import { campaignsMessages } from "~/content/campaigns";
import { logsMessages } from "~/content/logs";
import { peopleMessages } from "~/content/people";
import { quarantineMessages } from "~/content/quarantine";
import { submissionMessages } from "~/content/submissions";
import { suppressionMessages } from "~/content/suppressions";
import { paths } from "~/paths";
import type { UrlState } from "../list-state";
import { activityList } from "./activity-list";
import { campaignsList } from "./campaigns-list";
import { logsList } from "./logs-list";
import { peopleList } from "./people-list";
import { quarantineList } from "./quarantine-list";
import { submissionsList } from "./submissions-list";
import { suppressionsList } from "./suppressions-list";
import { unconfirmedList } from "./unconfirmed-list";

export interface SavedList {
  readonly path: string;
  readonly name: string;
  /** Reads the list's filter and order, and nothing else, from its URL; an invalid value is left out. */
  read(search: URLSearchParams): UrlState;
}

interface ListState {
  readLoosely(search: URLSearchParams): { readonly values: UrlState };
}

function toSavedList(path: string, name: string, state: ListState): SavedList {
  return { path, name, read: (search) => state.readLoosely(search).values };
}

/** The lists whose filter or order can be saved under a name. */
const SAVED_LISTS: readonly SavedList[] = [
  toSavedList(paths.people, peopleMessages.title, peopleList),
  ...SUBMISSION_KINDS.map((kind) =>
    toSavedList(paths.submissionTable(kind), submissionMessages.forms[kind], submissionsList(kind)),
  ),
  toSavedList(paths.submissionsUnconfirmed, submissionMessages.unconfirmed, unconfirmedList),
  toSavedList(paths.quarantine, quarantineMessages.title, quarantineList),
  toSavedList(paths.suppressions, suppressionMessages.title, suppressionsList),
  toSavedList(paths.campaigns, campaignsMessages.title, campaignsList),
  toSavedList(paths.logs, logsMessages.title, logsList),
  toSavedList(paths.activity, "Activity", activityList),
];

/** Finds the list with a path; undefined where nothing can be saved. */
export function findSavedList(path: string): SavedList | undefined {
  return SAVED_LISTS.find((list) => list.path === path);
}
