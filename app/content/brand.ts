/** What the settings say of the product being launched (BRAND_NAME and those below it); defaults are the example's. */
export interface Brand {
  readonly name: string;
  /** Sender name of the emails (specification, section 9: default sender label: the team). */
  readonly senderLabel: string;
  /** The address that visitors can write to. */
  readonly contactEmail: string;
  /** Links to the product's accounts; an undefined one is not shown. */
  readonly social: {
    readonly linkedin: string | undefined;
    readonly twitter: string | undefined;
    readonly instagram: string | undefined;
  };
  /** Undefined: the page has no such link. */
  readonly privacyUrl: string | undefined;
  readonly imprintUrl: string | undefined;
}

/** The two applications that devices belong to. They are stored with each device, so they stay when the name changes. */
export const appTypes = { landing: "confer-landing", application: "confer-app" } as const;
