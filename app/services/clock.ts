/** Now, in epoch milliseconds. Services are given one, so that tests can move time. */
export type Clock = () => number;
