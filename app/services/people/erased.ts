/**
 * Replaces the address of an erased person: it is not an address, so nothing can be sent to it. Also the reason
 * of an email that was skipped because of the erasure.
 */
export const ERASED = "erased";
