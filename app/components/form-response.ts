import { useLocation, useNavigation } from "@remix-run/react";
import { createContext, useContext, useState } from "react";

const FormResponseKey = createContext<string | undefined>(undefined);

/** Provides the result of useFormResponseKey to components that call useIsAnswer. */
export const FormResponseProvider = FormResponseKey.Provider;

/**
 * Returns whether this location is the response to a form sent from the page, and not to a link, a reload or
 * the back button.
 */
export function useIsAnswer(): boolean {
  const { key } = useLocation();
  return useContext(FormResponseKey) === key;
}

/**
 * Returns the key of the location that the last form sent from the page led to. For the layout, which stays
 * mounted while pages change.
 */
export function useFormResponseKey(): string | undefined {
  const { key } = useLocation();
  const { state, formMethod } = useNavigation();
  const [sentFrom, setSentFrom] = useState<string>();
  const [responseKey, setResponseKey] = useState<string>();

  const from = formMethod ? key : undefined;
  if (state !== "idle") {
    if (from !== sentFrom) setSentFrom(from);
  } else if (sentFrom !== undefined) {
    setSentFrom(undefined);
    if (sentFrom !== key) setResponseKey(key);
  }
  return responseKey;
}
