import { useState } from "react";

/**
 * Returns the last value that was not undefined, so that it outlasts the answer it came with. As the key of a form it
 * empties the form after each success; when that answer goes, the key stays, and with it what was typed meanwhile.
 */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
