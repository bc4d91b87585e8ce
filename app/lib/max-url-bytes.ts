/** Size of the longest URL that the server answers (hardening R17); browsers send URLs in ASCII. */
export const MAX_URL_BYTES = 2048;
