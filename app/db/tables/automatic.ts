import type { AutomaticRule } from "~/lib/automatic-rules";
import type { MessageFormat } from "~/lib/message-format";
import type { EpochMs, IntegerBoolean } from "./columns";

/** The emails that answer forms by themselves: a row for each that was ever written or turned on. */
export interface AutomaticRulesTable {
  rule: AutomaticRule;
  is_on: IntegerBoolean;
  /** The text in force; empty until somebody saves a text or turns the rule on. */
  text_id: string;
}

/** What the rules say and said: a row for each stored text, which the emails sent with it name. */
export interface AutomaticTextsTable {
  id: string;
  rule: AutomaticRule;
  subject: string;
  message: string;
  format: MessageFormat;
  /** Address of the account that saved the text, or turned the rule on with the text that the product comes with. */
  written_by: string;
  written_at: EpochMs;
}

export interface AutomaticTables {
  automatic_rules: AutomaticRulesTable;
  automatic_texts: AutomaticTextsTable;
}
