import { readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { withoutSentenceEnd } from "./compose";
import type { OutboxRow, OutboxRows } from "./outbox-rows";

/** A message of 20,000 characters can hold many more. */
const MOST_LINKS = 50;

export interface OutboxEmail {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly html: string;
  readonly text: string;
  /** As they were written. */
  readonly headers: string;
  readonly source: string;
  /** http(s) URLs of the plain text, each once. */
  readonly links: readonly string[];
}

export type OutboxReader = ReturnType<typeof createOutboxReader>;

/** The outbox as admins read it. */
export function createOutboxReader({ rows, folder }: { rows: OutboxRows; folder: string }) {
  /** The whole mail as it would have been sent (RFC 5322), or undefined when there is none or its file is gone. */
  async function read(id: string): Promise<string | undefined> {
    const row = await rows.find(id);
    if (!row) return undefined;
    return readFile(join(folder, row.file), "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
  }

  return {
    /** Newest first. */
    list: (page: { limit: number }): Promise<OutboxRow[]> => rows.list(page),

    read,

    /** The same taken apart, with its encodings undone: to be shown as text, and its HTML in a frame that runs nothing. */
    async parse(id: string): Promise<OutboxEmail | undefined> {
      const source = await read(id);
      if (source === undefined) return undefined;
      const { subject = "", from, to = [], html = "", text = "" } = await PostalMime.parse(source);
      return {
        subject,
        from: from?.address ?? "",
        to: to.map(({ address }) => address ?? "").join(", "),
        html,
        text,
        // RFC 5322, section 2.1: an empty line ends the header.
        headers: source.split(/\r?\n\r?\n/, 1)[0] ?? "",
        source,
        links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g)?.map(withoutSentenceEnd))].slice(
          0,
          MOST_LINKS,
        ),
      };
    },
  };
}
