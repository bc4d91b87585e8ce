import { expect, it } from "vitest";
import { SUBMISSION_COLUMNS } from "~/services/people/person-rows.server";
import { describeOnDatabases } from "./use-database";
import { createPersonData } from "../factories/people";

/** Tables, and columns of tables that are covered, with texts that need not be erased with a person, and why. */
const NOT_ERASED: Readonly<Record<string, string>> = {
  // Decision 27 says why these stay.
  audit: "an audit that can be rewritten is worth nothing",
  idempotency_keys: "the result of an API call, kept for a day",

  // The operators' own.
  accounts: "operators, who have accounts instead of submissions",
  api_tokens: "operators' programs",
  recovery_codes: "operators' second factors",
  second_factors: "operators' second factors",
  sessions: "operators' browsers",
  visits: "when operators looked, deleted with their account",
  alert_choices: "what operators are told about, deleted with their account",
  alerts: "codes and ids, deleted with the operator's account",
  deletions: "who deleted",
  broadcasts: "written by operators for everybody",
  "campaigns.format": "a code",
  "campaigns.title": "written by operators for everybody",
  "campaigns.message": "written by operators for everybody",
  campaign_templates: "written by operators for everybody; a draft's audience and test address are not saved",
  "campaigns.created_by": "an operator",
  "campaigns.touched_by": "an operator",
  "campaigns.touched_form": "an operator's window",
  automatic_rules: "codes and ids",
  wave_plans: "codes, ids, and the operator who made it",
  automatic_texts: "written by operators for everybody",
  "saved_views.id": "an id",
  "saved_views.list": "a path",
  "saved_views.created_by": "an operator",
  imports: "names of files, of columns and of operators, and what operators say of the consent",
  tenants: "companies, as the platform lists them",

  // Without a name or an address.
  pushes: "ids of devices",
  platform_broadcasts: "to no device in particular",
  mirror_rows: "hashes and answers, removed with the submission by its mirror's queue",
  mirror_sheets: "a sheet as a whole",
  setup_records: "what mail servers and checks said of this installation and its operators",
  log_lines: "no line of ours names an address",
  secrets: "keys of this product",
  people_fill: "an id",

  // Codes, numbers and ids.
  "campaigns.id": "an id",
  "campaigns.state": "a code",
  "campaigns.audience": "a code",
  "campaigns.narrowing": "codes, days, and a company, domain or source",
  "campaigns.freezing": "an id",
  "campaigns.template_id": "an id",
  "campaigns.plan_id": "an id",
  campaign_template_defaults: "a code and an id",
  "campaigns.prepared_through": "an id",
  "campaigns.audience_through": "an id",
  "campaigns.hold": "a code",
  "campaigns.when_missed": "a code",
  "campaigns.latest_answers": "codes",
  "deliveries.id": "an id",
  "deliveries.campaign_id": "an id",
  "deliveries.message_id": "an id, by which a later report is recognised",
  "deliveries.state": "a code",
  "deliveries.lease_owner": "an instance",
  "transactional_emails.id": "an id",
  "transactional_emails.kind": "a code",
  "transactional_emails.state": "a code",
  "transactional_emails.allowance_class": "a code",
  "transactional_emails.unique_key": "ids, for the API the token's and the caller's own key",
  "transactional_emails.data": "ids, a hash, and operators who asked",
  "transactional_emails.text_id": "an id",
  "transactional_emails.message_id": "an id, by which a later report is recognised",
  "transactional_emails.lease_owner": "an instance",
  "bounces.id": "a hash, by which a report that comes again is recognised",
  "bounces.type": "a code",
  "bounces.campaign_id": "an id",
  "bounces.delivery_id": "an id",
  "import_lines.import_id": "an id",
  "import_lines.verdict": "a code",
  "import_lines.reason": "a code",
  "import_lines.submission_id": "an id",
  "import_lines.suppression_id": "an id",
  delivery_counts: "counts",
  email_days: "counts",
  instances: "instances",
  log_hours: "counts",
  resource_incidents: "instances",
  resource_samples: "instances",
  submission_counts: "counts",
  submission_days: "counts",
  submission_sources: "counts",
  funnel_counts: "counts",
  landing_visits: "counts",
};

/** Tables of tools: migrations, and SQLite's indexes of documents. */
const IS_TOOLS = /^kysely_|^(search|submission|people)_index|^sqlite_/;

describeOnDatabases("what is held about a person on %s", ({ database }) => {
  it("is exported and erased by a capability, or stays for a reason", async () => {
    const held = [SUBMISSION_COLUMNS, ...createPersonData(database).map(({ columns }) => columns)];
    const covered = held.flatMap((columns) =>
      Object.entries(columns).flatMap(([table, names]) =>
        names === "rows" ? [table] : names.map((name) => `${table}.${name}`),
      ),
    );
    const known = [...covered, ...Object.keys(NOT_ERASED)];
    const tables = await database.read.introspection.getTables();
    const texts = tables
      .filter(({ name }) => !IS_TOOLS.test(name))
      .flatMap(({ name: table, columns }) =>
        columns
          .filter(({ dataType }) => /text|char|json|blob|bytea/i.test(dataType))
          .map(({ name }) => [table, `${table}.${name}`]),
      );
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((names) => !names.some((name) => known.includes(name)))).toEqual([]);
    // Each entry names a table or column that exists, once.
    const existing = new Set(texts.flat());
    expect(known.filter((name) => !existing.has(name))).toEqual([]);
    expect(known.toSorted()).toEqual([...new Set(known)].toSorted());
  });
});
