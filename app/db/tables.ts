import type { AccountTables } from "./tables/accounts";
import type { AutomaticTables } from "./tables/automatic";
import type { AlertTables } from "./tables/alerts";
import type { ImportTables } from "./tables/imports";
import type { SubmissionTables } from "./tables/submissions";
import type { OutreachTables } from "./tables/outreach";
import type { BroadcastTables } from "./tables/broadcast";
import type { MirrorTables } from "./tables/mirrors";
import type { MonitoringTables } from "./tables/monitoring";
import type { PeopleTables } from "./tables/people";
import type { SavedViewTables } from "./tables/saved-views";
import type { SetupTables } from "./tables/setup";
import type { TransactionalEmailTables } from "./tables/transactional-emails";
import type { WaveTables } from "./tables/waves";

/**
 * Types of the tables, the same for SQLite and PostgreSQL. Times are epoch milliseconds in bigint columns (read as
 * numbers on both), booleans are 0 or 1, ids are UUIDv7 text, so that id order is time order.
 */
export interface Tables
  extends
    AccountTables,
    AutomaticTables,
    AlertTables,
    SubmissionTables,
    PeopleTables,
    ImportTables,
    OutreachTables,
    TransactionalEmailTables,
    BroadcastTables,
    MirrorTables,
    MonitoringTables,
    SavedViewTables,
    SetupTables,
    WaveTables {}
