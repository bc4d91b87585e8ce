/** Reports a database that the product cannot start with. The message is for the operator at the terminal. */
export class UnusableDatabaseError extends Error {
  override name = "UnusableDatabaseError";
}
