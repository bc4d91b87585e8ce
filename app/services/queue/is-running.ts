/** Returns whether a campaign or a broadcast continues without an operator. */
export const isRunning = ({ state }: { state: string }) => state === "preparing" || state === "sending";
