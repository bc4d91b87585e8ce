import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns";
import { isPrivateAddress } from "./private-address";

/** What node:http asks to resolve a name. */
type Lookup = (name: string, options: LookupOptions, found: Found) => void;

type Found = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Resolves as the system does, but never into a private network. The address that was checked is the one that is used. */
export const publicLookup: Lookup = (name, options, found) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    const isPrivate = addresses.some(({ address }) => isPrivateAddress(address));
    if (isPrivate) return found(new Error(`${name} leads into a private network`), []);
    answer(addresses, options, found);
  });
};

/** Resolves otherwise than the system does. */
export const givenLookup =
  (resolve: (name: string) => LookupAddress): Lookup =>
  (name, options, found) =>
    answer([resolve(name)], options, found);

function answer(addresses: LookupAddress[], options: LookupOptions, found: Found): void {
  const [first] = addresses;
  if (options.all || !first) return found(null, addresses);
  found(null, first.address, first.family);
}
