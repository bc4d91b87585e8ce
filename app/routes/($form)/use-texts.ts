import { useBrand } from "~/components/use-brand";
import { getLandingTexts } from "~/content/landing";

/** Returns the sentences of the page. */
export const useTexts = () => getLandingTexts(useBrand());
