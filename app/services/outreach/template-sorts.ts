import type { SortOrder } from "~/lib/list-page";

/** What the list of templates can be sorted by, with the direction that comes first. `used`: by the number of campaigns. */
export const TEMPLATE_SORTS = { name: "asc", used: "desc", changed: "desc" } as const;
export type TemplateOrder = SortOrder<keyof typeof TEMPLATE_SORTS>;

export const TEMPLATES_BY_NAME: TemplateOrder = { sort: "name", direction: "asc" };
