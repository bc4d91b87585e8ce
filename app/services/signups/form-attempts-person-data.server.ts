import { clearAttempts } from "~/services/attempts/attempts.server";
import type { PersonData } from "~/services/people/person-data";
import { getFormAttemptsKey } from "./signups.server";

/** The count of forms for a person's address, which its rate limit needs for an hour. */
export const formAttemptsPersonData: PersonData = {
  name: "attempts",
  columns: { attempts: "rows" },
  erase: (trx, emailKey) => clearAttempts(trx, getFormAttemptsKey(emailKey)),
};
