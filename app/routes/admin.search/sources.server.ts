import { getEntries } from "~/components/shell/navigation";
import type { Hit, HitGroup } from "~/components/shell/search-results";
import { logsMessages } from "~/content/logs";
import { outboxMessages } from "~/content/outbox";
import { campaignStatusMessages } from "~/content/outreach";
import { savedViewMessages } from "~/content/saved-views";
import { shellMessages } from "~/content/shell";
import { userMessages } from "~/content/users";
import { findSavedList } from "~/http/lists/saved-lists";
import { splitLogLine, visibleText } from "~/lib/log-line";
import { matchesTerms, searchTerms, searchWords, splitWords } from "~/lib/search-words";
import { paths } from "~/paths";
import {
  broadcasts,
  logs,
  outbox,
  outreach,
  peopleList,
  savedViews,
  status,
  templates,
  userManagement,
} from "~/services/container.server";
import { NEWEST_PEOPLE } from "~/services/people/people-filter";
import { toFormKinds } from "~/services/people/person-forms";
import type { SignedIn } from "~/services/sessions/sessions.server";

interface Query {
  readonly typed: string;
  /** The query's words (app/lib/search-words.ts); none when nothing was typed. */
  readonly terms: readonly string[];
  readonly operator: SignedIn;
}

/**
 * One kind of search result. `find` returns at most `limit` hits, in the source's own order, and none that this
 * person may not see. With an empty query it returns suggestions, if it has any.
 */
interface SearchSource {
  readonly id: string;
  readonly title: string;
  find(query: Query, limit: number): Promise<Hit[]>;
  /** Number of newest rows searched, when that is not all of them. */
  readonly among?: number;
  /** Link to all results, when there may be more than are shown. */
  more?(query: Query): HitGroup["more"];
}

const copy = shellMessages.search;

/** Hits shown of each source. */
const MAX_SHOWN = 6;
/** Newest rows searched by a source without an index. */
const ROWS_SEARCHED = 500;
/** Requested on every letter typed; the log's own page searches further. */
const LINES_SEARCHED = 5000;
/** Shorter words occur in nearly every line. */
const MIN_LOG_TERM_LENGTH = 3;
const MAX_LINE_TITLE_LENGTH = 160;

/** All sources, in the order they are shown. */
const sources: readonly SearchSource[] = [
  { id: "actions", title: copy.groups.actions, find: findActions },
  {
    /** People, with links to their pages. */
    id: "people",
    title: copy.groups.people,
    async find({ typed, terms }, limit) {
      if (terms.length === 0) return [];
      const { rows } = await peopleList.list({ search: typed }, { order: NEWEST_PEOPLE, limit });
      return rows.map(({ id, name, email, company, forms, first_seen_at }) => ({
        to: paths.person(id),
        title: name || email,
        detail: [
          email,
          company ||
            toFormKinds(forms)
              .map((kind) => copy.forms[kind])
              .join(", "),
        ]
          .filter((part) => part !== "")
          .join(" · "),
        at: first_seen_at,
      }));
    },
    more: ({ typed }) => ({ to: paths.peopleFound(typed), name: copy.morePeople }),
  },
  searchNewest({
    id: "campaigns",
    title: copy.groups.campaigns,
    list: () => outreach.listLatestCampaigns({ limit: ROWS_SEARCHED }),
    getWords: ({ title }) => splitWords(title),
    toHit: (campaign) => toTitledHit(campaign, paths.outreachCampaign(campaign.id)),
  }),
  searchAmongAll({
    id: "templates",
    title: copy.groups.templates,
    list: () => templates.list(),
    getWords: ({ name }) => splitWords(name),
    toHit: ({ id, name, changed_at }) => ({ to: paths.template(id), title: name, at: changed_at }),
    more: () => ({ to: paths.templates, name: copy.allTemplates }),
  }),
  searchAmongAll({
    /** Own views and shared ones. */
    id: "views",
    title: copy.groups.views,
    list: (operator) => savedViews.list(operator),
    getWords: ({ name }) => splitWords(name),
    toHit: ({ list, query, name }) => ({
      to: `${list}?${query}`,
      title: name,
      detail: findSavedList(list)?.name,
    }),
    more: () => ({ to: paths.savedViews, name: copy.allViews }),
  }),
  searchNewest({
    id: "notifications",
    title: copy.groups.notifications,
    list: () => broadcasts.listLatest({ limit: ROWS_SEARCHED }),
    getWords: ({ title }) => splitWords(title),
    toHit: (broadcast) => toTitledHit(broadcast, paths.broadcast(broadcast.id)),
  }),
  searchNewest({
    /** Emails by recipient and subject, where the outbox keeps them. */
    id: "emails",
    title: copy.groups.emails,
    list: async () => outbox.list({ limit: ROWS_SEARCHED }),
    getWords: ({ to_address, subject }) => searchWords({ email: to_address, name: subject }),
    toHit: ({ id, to_address, subject, created_at }) => ({
      to: paths.outboxEmail(id),
      title: subject || outboxMessages.noSubject,
      detail: to_address,
      at: created_at,
    }),
  }),
  searchNewest({
    /** Accounts; for superadmins only. */
    id: "accounts",
    title: copy.groups.accounts,
    list: async (operator) =>
      operator.role === "superadmin" ? userManagement.list(operator, { limit: ROWS_SEARCHED }) : [],
    getWords: ({ email, fullName }) => searchWords({ email, name: fullName }),
    toHit: ({ email, fullName, role }) => ({
      to: paths.users,
      title: fullName || email,
      detail: `${email} · ${role}`,
    }),
    more: () => ({ to: paths.users, name: userMessages.seeAll }),
  }),
  {
    /** Lines of the server's log by any part of their words, newest first. */
    id: "logs",
    title: logsMessages.searchGroup,
    among: LINES_SEARCHED,
    async find({ typed, terms }, limit) {
      // The platform returns its whole log or nothing: too much to request on every letter typed.
      if (!logs.isOurs || !terms.some((term) => term.length >= MIN_LOG_TERM_LENGTH)) return [];
      const filter = { search: typed.replaceAll("\0", "") };
      const { lines } = await logs.page(filter, { limit, maxSearched: LINES_SEARCHED });
      return lines.map(({ id, at, level, line }) => ({
        to: paths.logLine(id),
        title: visibleText(splitLogLine({ level, line }).message.slice(0, MAX_LINE_TITLE_LENGTH)),
        detail: level,
        at,
      }));
    },
    more: ({ typed }) => ({ to: paths.logSearch(typed), name: logsMessages.searchMore }),
  },
];

/** Finds everything this operator may see, grouped by source; groups without hits are left out. */
export async function searchAll(typed: string, operator: SignedIn): Promise<HitGroup[]> {
  const query = { typed, terms: searchTerms(typed), operator };
  const groups = await Promise.all(
    sources.map(async ({ id, title, find, among, more }) => {
      // Finds one more than is shown, to know whether there are more.
      const found = await find(query, MAX_SHOWN + 1);
      const hasMore = found.length > MAX_SHOWN;
      return { id, title, hits: found.slice(0, MAX_SHOWN), among, more: hasMore ? more?.(query) : undefined };
    }),
  );
  return groups.filter(({ hits }) => hits.length > 0);
}

/** Finds the screens this operator can open and their actions; without a query, the first screens. */
async function findActions({ terms, operator }: Query, limit: number): Promise<Hit[]> {
  const { shortcuts, themes, logout } = shellMessages;
  // No setup page: whoever has to choose a password or set up a second factor first cannot open the search.
  const entries = getEntries({ ...status, role: operator.role, setupPage: undefined });
  const all: { to: string; name: string; also?: string; screen?: string; form?: Hit["form"] }[] = [
    ...entries.flatMap(({ to, name, also = "", actions = [] }) => [
      { to, name, also },
      ...actions.map((action) => ({ to, ...action, screen: name })),
    ]),
    { to: paths.savedViews, name: savedViewMessages.title, also: "filters bookmarks" },
    { to: paths.shortcuts, name: shortcuts.title, also: "keys help" },
    ...Object.entries(themes).map(([theme, name]) => ({
      to: paths.appearance,
      form: { theme },
      name,
      also: "appearance mode colors",
    })),
    { to: paths.logout, form: {}, name: logout, also: "sign out leave" },
  ];
  const found = all.filter(({ name, also = "", screen }) =>
    terms.length === 0 ? screen === undefined : matchesTerms(splitWords(`${name} ${also}`), terms),
  );
  return found
    .slice(0, limit)
    .map(({ to, form, name, screen }) => ({ to, form, title: name, detail: screen }));
}

interface SearchedRows<Row> extends Pick<SearchSource, "id" | "title" | "more"> {
  list(operator: SignedIn): Promise<readonly Row[]>;
  getWords(row: Row): readonly string[];
  toHit(row: Row): Hit;
}

/** Creates a source that looks through the newest rows of a list without an index, up to ROWS_SEARCHED. */
function searchNewest<Row>(rows: SearchedRows<Row>): SearchSource {
  return { ...searchAmongAll(rows), among: ROWS_SEARCHED };
}

/** Creates a source that looks through a whole list, which is short, and suggests nothing. */
function searchAmongAll<Row>({ list, getWords, toHit, ...source }: SearchedRows<Row>): SearchSource {
  return {
    ...source,
    async find({ terms, operator }, limit) {
      if (terms.length === 0) return [];
      const rows = await list(operator);
      const found = rows.filter((row) => matchesTerms(getWords(row), terms));
      return found.slice(0, limit).map(toHit);
    },
  };
}

type Titled = {
  title: string;
  state: keyof typeof campaignStatusMessages.states;
  confirmed_at: number | null;
};

function toTitledHit({ title, state, confirmed_at }: Titled, to: string): Hit {
  return { to, title, detail: campaignStatusMessages.states[state], at: confirmed_at ?? undefined };
}
