import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { writeStored } from "~/lib/local-storage";

/** The specification's key in the browser's local storage. */
const KEY = "user";

/**
 * What the specification keeps of the signed-in user. Other tabs notice only that it changed. Never a token, and the server
 * never reads it.
 */
export interface MirroredUser {
  email: string;
  fullName: string;
  role: string;
}

export const mirrorUser = ({ email, fullName, role }: MirroredUser): void =>
  writeStored(KEY, JSON.stringify({ email, fullName, role }));

export const forgetUser = (): void => writeStored(KEY, null);

/** Reloads the page's data when somebody logs in or out in another tab of this browser. */
export function useUserMirror(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const listen = (event: StorageEvent) => {
      if (event.key === KEY || event.key === null) revalidate();
    };
    window.addEventListener("storage", listen);
    return () => window.removeEventListener("storage", listen);
  }, [revalidate]);
}
