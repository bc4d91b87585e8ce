/** Names nobody can have (RFC 2606, RFC 6761), such as those in .env.example. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/i;

/** Whether a host, or the part of an address after its @, stands for no real one. */
export const isExampleDomain = (domain: string): boolean => RESERVED.test(domain);

/** "ada@mail.example.com" is at "mail.example.com". */
export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();
