/** Reserved names (RFC 2606, RFC 6761), such as those in .env.example. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

/** Returns whether a host, or the domain of an address, is a reserved example. */
export const isExampleDomain = (domain: string): boolean => RESERVED.test(domain);

/** Returns the domain: "ada@mail.example.com" -> "mail.example.com". */
export const getDomain = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/**
 * Returns the organization's domain, accurate enough for a warning: the last two labels, which under co.uk and the
 * like are too few.
 */
export const getOrganization = (host: string): string => host.split(".").slice(-2).join(".");
