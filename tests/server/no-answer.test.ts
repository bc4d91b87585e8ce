import { expect, it } from "vitest";
import { readManifestRoutes } from "./route-manifest";

/** Routes whose forms a browser sends as documents, or that have none: the browser itself says that nothing came. */
const SENT_AS_DOCUMENTS = [
  // Downloads.
  "routes/admin.activity.export",
  "routes/admin.logs_.export",
  "routes/admin.notifications_.$id.export",
  "routes/admin.outreach.$id.export",
  "routes/admin.people.$id.export",
  "routes/admin.people.export",
  "routes/admin.people_.import_.$id.rest",
  "routes/admin.second-factor.codes",
  "routes/admin.submissions.$kind.export",
  "routes/admin.suppressions.export",
  // Opened from an email.
  "routes/confirm-email.$token",
  "routes/i.$code",
  "routes/invitation.$token",
  "routes/unsubscribe.$token",
  "routes/updates.confirm.$token",
  // Receives a form by a redirect.
  "routes/login_.session-ended",
  // No form leads here.
  "routes/$",
  "routes/admin.$",
  "routes/api.$",
];

// R39
it("every form's route says that no answer came", () => {
  const silent = Object.values(readManifestRoutes())
    .filter(({ hasAction, hasClientAction }) => hasAction && !hasClientAction)
    .map(({ id }) => id);
  expect(silent.sort()).toEqual([...SENT_AS_DOCUMENTS].sort());
});
