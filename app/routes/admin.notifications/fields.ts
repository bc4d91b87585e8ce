import { z } from "zod";
import { notificationMessages } from "~/content/notifications";
import { textField } from "~/lib/parse-form";
import { CONTENT_LIMITS } from "~/services/broadcast/message";
import { AUDIENCES } from "~/services/broadcast/target";

export interface NotificationValues extends Record<string, string> {
  /** Empty until one is selected: the largest audience must not be the default. */
  audience: (typeof AUDIENCES)[number] | "";
  /** A company's id; empty for all companies. Counts for the application audience only. */
  tenant: string;
  title: string;
  body: string;
  link: string;
}

export const EMPTY: NotificationValues = { audience: "", tenant: "", title: "", body: "", link: "" };

/** A base for relative links; never requested. */
const BASE_URL = "https://site.invalid";

/** Returns whether the link is a page of this site; the worker opens no other. */
const isPageOfOurs = (link: string): boolean =>
  link === "" || (/^\/(?![/\\])/.test(link) && URL.parse(link, BASE_URL)?.origin === BASE_URL);

export const notificationSchema = z.object({
  audience: z.enum(AUDIENCES, { error: "Please choose one of the audiences." }),
  tenant: textField({ label: "the company", max: 200 }),
  title: textField({ label: "the title", max: CONTENT_LIMITS.title, required: true }),
  body: textField({ label: "the message", max: CONTENT_LIMITS.body, required: true, singleLine: false }),
  link: textField({ label: "the link", max: CONTENT_LIMITS.link }).refine(isPageOfOurs, {
    error: notificationMessages.linkWrong,
  }),
}) satisfies z.ZodType<NotificationValues>;
