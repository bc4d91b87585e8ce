/**
 * What stands where the address of somebody who was erased stood: no address, so that nothing can be sent there. Also the
 * reason of a mail that was not sent because of it.
 */
export const ERASED = "erased";
