import { Scripts, useLocation } from "@remix-run/react";
import { createContext, useContext, useState } from "react";
import { isGuarded } from "~/components/navigation-overlay";
import publicStyles from "~/public.css?url";
import officeStyles from "~/back-office.css?url";

/** What stands in the document instead of being fetched with it. */
export interface InlineAssets {
  readonly styles: string;
  readonly scripts: string;
}

/** Provided for the cached landing page only (inline-assets.server.ts); every other document fetches its files. */
export const InlineAssetsContext = createContext<InlineAssets | undefined>(undefined);

/** Id of the style sheet in the document. Extensions put style elements of their own beside it. */
export const STYLES_ID = "styles";

interface InlineProps {
  nonce: string | undefined;
}

/**
 * Links the sheet of the area in which the document began, and keeps it: a change of the only sheet would show a page
 * without any. The back office's has the public pages' classes; where it comes second, its own route links it.
 */
export function DocumentStyles({ nonce }: InlineProps) {
  const inline = useContext(InlineAssetsContext);
  const { pathname } = useLocation();
  const [sheet] = useState(isGuarded(pathname) ? officeStyles : publicStyles);
  if (!inline) return <link rel="stylesheet" href={sheet} />;
  return <style id={STYLES_ID} nonce={nonce} dangerouslySetInnerHTML={{ __html: inline.styles }} />;
}

export function DocumentScripts({ nonce }: InlineProps) {
  const inline = useContext(InlineAssetsContext);
  if (!inline) return <Scripts nonce={nonce} />;
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: inline.scripts }} />;
}
