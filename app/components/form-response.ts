import { useLocation, useNavigation } from "@remix-run/react";
import { createContext, useContext, useState } from "react";

const FormResponseKey = createContext<string | undefined>(undefined);

/** Provides the result of useFormResponseKey to components that call useIsAnswer. */
export const FormResponseProvider = FormResponseKey.Provider;

/** Returns whether this location answers a form sent from the page, and not a link, a reload or the back button. */
export function useIsAnswer(): boolean {
  const { key } = useLocation();
  return useContext(FormResponseKey) === key;
}

/** Returns the key of the location that the page's last form led to. For the layout, which stays mounted. */
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
