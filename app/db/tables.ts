import type { AccountsTable } from "./tables/accounts";
import type { ApiTokensTable } from "./tables/api-tokens";
import type { AttemptsTable } from "./tables/attempts";
import type { AuditTable } from "./tables/audit";
import type { BouncesTable } from "./tables/bounces";
import type { BroadcastsTable, PlatformBroadcastsTable, PushesTable } from "./tables/broadcast";
import type { ConfirmationsTable } from "./tables/confirmations";
import type { IdempotencyKeysTable } from "./tables/idempotency";
import type { LogHoursTable, LogLinesTable, LogStateTable } from "./tables/logs";
import type { OutboxMailsTable } from "./tables/mail";
import type { MirrorRowsTable, MirrorSheetsTable } from "./tables/mirrors";
import type { DeliveriesTable, DeliveryCountsTable, MailDaysTable, CampaignsTable } from "./tables/outreach";
import type { DevicesTable } from "./tables/push";
import type { ResourceIncidentsTable, ResourceSamplesTable } from "./tables/resources";
import type { SearchDocumentsTable } from "./tables/search";
import type { RecoveryCodesTable, SecondFactorsTable } from "./tables/second-factor";
import type { SecretsTable } from "./tables/secrets";
import type { SessionsTable } from "./tables/sessions";
import type {
  ConsentsTable,
  DeletionsTable,
  SubmissionCountsTable,
  SubmissionDaysTable,
  SubmissionFingerprintsTable,
  SubmissionsTable,
} from "./tables/submissions";
import type { SuppressionsTable } from "./tables/suppressions";
import type { TenantsTable } from "./tables/tenants";

/**
 * Types of the tables, the same for SQLite and PostgreSQL. Times are epoch milliseconds in bigint columns (read as
 * numbers on both), booleans are 0 or 1, ids are UUIDv7 text, so that id order is time order.
 */
export interface Tables {
  secrets: SecretsTable;
  accounts: AccountsTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  attempts: AttemptsTable;
  submissions: SubmissionsTable;
  submission_fingerprints: SubmissionFingerprintsTable;
  submission_counts: SubmissionCountsTable;
  submission_days: SubmissionDaysTable;
  deletions: DeletionsTable;
  search_documents: SearchDocumentsTable;
  consents: ConsentsTable;
  confirmations: ConfirmationsTable;
  suppressions: SuppressionsTable;
  bounces: BouncesTable;
  campaigns: CampaignsTable;
  deliveries: DeliveriesTable;
  delivery_counts: DeliveryCountsTable;
  mail_days: MailDaysTable;
  outbox_mails: OutboxMailsTable;
  devices: DevicesTable;
  tenants: TenantsTable;
  broadcasts: BroadcastsTable;
  pushes: PushesTable;
  platform_broadcasts: PlatformBroadcastsTable;
  audit: AuditTable;
  api_tokens: ApiTokensTable;
  idempotency_keys: IdempotencyKeysTable;
  resource_samples: ResourceSamplesTable;
  resource_incidents: ResourceIncidentsTable;
  log_lines: LogLinesTable;
  log_hours: LogHoursTable;
  log_state: LogStateTable;
  mirror_rows: MirrorRowsTable;
  mirror_sheets: MirrorSheetsTable;
}
