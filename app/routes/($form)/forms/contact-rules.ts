import { anchors, paths } from "~/paths";

/** Longest message, in code points (product.md, "Visitors"). */
export const MESSAGE_MAX_LENGTH = 5000;

/** The contact form answers where it stands: without JavaScript the fragment leads back to it. */
export const CONTACT_ACTION = `${paths.contact}#${anchors.contact}`;
