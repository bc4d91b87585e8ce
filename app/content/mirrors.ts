/** Texts of the Mirrors screen, about the copies of submissions in other systems. */
export const mirrorMessages = {
  names: { "google-sheets": "Google Sheets", "web-endpoint": "your web endpoints" },
  /** Why a row needs a decision. */
  undecided: {
    uncertain: "Sent, but not confirmed: check whether it is there.",
    refused: "Rejected by the other side.",
    left: "Deleted here. It may still be there; only a person can remove it there.",
  },
} as const;
