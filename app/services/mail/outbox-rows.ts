/** One mail in the outbox, as an admin sees it in the list. */
export interface OutboxRow {
  readonly id: string;
  /** With angle brackets. */
  readonly messageId: string;
  readonly toAddress: string;
  readonly subject: string;
  /** The .eml file, relative to the outbox folder, with forward slashes. */
  readonly file: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The list of the outbox; the mails themselves are files. One row per Message-ID. */
export interface OutboxRows {
  /** Resolves when the row is durable. Does nothing when the Message-ID has one already. */
  insert(row: OutboxRow): Promise<void>;
  findByMessageId(messageId: string): Promise<OutboxRow | undefined>;
  find(id: string): Promise<OutboxRow | undefined>;
  /** Newest first. */
  list(options: { readonly limit: number }): Promise<OutboxRow[]>;
}
