import { UpstreamError } from "~/lib/upstream-error";
import type { SheetReading } from "~/services/google/drivers/spreadsheet.server";
import type { AccountSource, ListedAccount } from "../account-source";

/** Rows below the header: address, full name, role. */
const RANGE = "sheet1!A2:C";

/** Reads accounts from a Google spreadsheet with one row per account. */
export class SheetAccountSource implements AccountSource {
  readonly #read: (range: string) => Promise<SheetReading>;

  constructor(read: (range: string) => Promise<SheetReading>) {
    this.#read = read;
  }

  async list(): Promise<readonly ListedAccount[]> {
    const reading = await this.#read(RANGE);
    if (!reading.ok) {
      // Whether Google was reached is not known; for a call that only reads it makes no difference.
      const call = { service: "account sheet", operation: "list accounts", handedOver: true };
      throw new UpstreamError({ ...call, detail: reading.problem });
    }
    const rows = reading.rows.filter((row) => row.some((cell) => cell.trim() !== ""));
    return rows.map(([email = "", fullName = "", role = ""]) => ({ email, fullName, role }));
  }
}
