import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPrivateAddress } from "./private-address";

type Found = Parameters<LookupFunction>[2];

/** Resolves as the system does, but refuses private networks. The connection uses the address that was checked. */
export const publicLookup: LookupFunction = (name, options, found) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    const isPrivate = addresses.some(({ address }) => isPrivateAddress(address));
    if (isPrivate) return found(new Error(`${name} leads into a private network`), []);
    answer(addresses, options, found);
  });
};

export const createLookup =
  (resolve: (name: string) => LookupAddress): LookupFunction =>
  (name, options, found) =>
    answer([resolve(name)], options, found);

function answer(addresses: LookupAddress[], options: LookupOptions, found: Found): void {
  const [first] = addresses;
  if (options.all || !first) return found(null, addresses);
  found(null, first.address, first.family);
}
