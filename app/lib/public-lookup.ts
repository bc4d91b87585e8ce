import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns";
import { isPrivateAddress } from "./private-address";

/** The signature of node:http's `lookup` option, which resolves a name. */
type Lookup = (name: string, options: LookupOptions, found: Found) => void;

type Found = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Resolves as the system does, but refuses private networks. The connection uses the address that was checked. */
export const publicLookup: Lookup = (name, options, found) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    const isPrivate = addresses.some(({ address }) => isPrivateAddress(address));
    if (isPrivate) return found(new Error(`${name} leads into a private network`), []);
    answer(addresses, options, found);
  });
};

export const createLookup =
  (resolve: (name: string) => LookupAddress): Lookup =>
  (name, options, found) =>
    answer([resolve(name)], options, found);

function answer(addresses: LookupAddress[], options: LookupOptions, found: Found): void {
  const [first] = addresses;
  if (options.all || !first) return found(null, addresses);
  found(null, first.address, first.family);
}
