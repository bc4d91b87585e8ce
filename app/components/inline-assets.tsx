import { Scripts } from "@remix-run/react";
import { createContext, useContext } from "react";
import stylesheet from "~/tailwind.css?url";

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

export function DocumentStyles({ nonce }: InlineProps) {
  const inline = useContext(InlineAssetsContext);
  if (!inline) return <link rel="stylesheet" href={stylesheet} />;
  return <style id={STYLES_ID} nonce={nonce} dangerouslySetInnerHTML={{ __html: inline.styles }} />;
}

export function DocumentScripts({ nonce }: InlineProps) {
  const inline = useContext(InlineAssetsContext);
  if (!inline) return <Scripts nonce={nonce} />;
  return <script nonce={nonce} dangerouslySetInnerHTML={{ __html: inline.scripts }} />;
}
