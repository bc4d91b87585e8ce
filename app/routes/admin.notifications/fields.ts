import { z } from "zod";
import { textField } from "~/lib/parse-form";
import { operatorMessages } from "~/content/operator-messages";
import { AUDIENCES } from "~/services/broadcast/audience";
import { CONTENT_LIMITS } from "~/services/broadcast/message";

/** What stands in the form. */
export interface NotificationValues extends Record<string, string> {
  /** Empty while none is chosen: the widest one must not be sent to by default. */
  audience: (typeof AUDIENCES)[number] | "";
  /** A company's id; empty for all of them. Counts for the application audience alone. */
  tenant: string;
  title: string;
  body: string;
  link: string;
}

export const EMPTY: NotificationValues = { audience: "", tenant: "", title: "", body: "", link: "" };

/** Never asked for: only what it is next to matters. */
const SOMEWHERE = "https://site.invalid";

/** A page of this site; the worker opens no other one. */
const isPageOfOurs = (link: string): boolean =>
  link === "" || (/^\/(?![/\\])/.test(link) && URL.parse(link, SOMEWHERE)?.origin === SOMEWHERE);

export const notificationSchema = z.object({
  audience: z.enum(AUDIENCES, { error: "Please choose one of the audiences." }),
  tenant: textField({ label: "the company", max: 200 }),
  title: textField({ label: "the title", max: CONTENT_LIMITS.title, required: true }),
  body: textField({ label: "the message", max: CONTENT_LIMITS.body, required: true, singleLine: false }),
  link: textField({ label: "the link", max: CONTENT_LIMITS.link }).refine(isPageOfOurs, {
    error: operatorMessages.notifications.linkWrong,
  }),
}) satisfies z.ZodType<NotificationValues>;

/** What of the form can be sent. */
export type SendableValues = z.infer<typeof notificationSchema>;
