import { useState } from "react";

/**
 * Returns the last value that was not undefined. As the key of a form it empties the form after each success, and keeps
 * what was typed since when the answer of that success goes.
 */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
