import { between, pickOne, type Random } from "~/lib/random";

export type Person = ReturnType<typeof createPeople>[number];

const FIRST_NAMES = `
  Amara Anton Beatriz Caleb Chiara Daniel Dilan Elif Emil Farah Felix Grace Hana Ines Ivo Jonas
  Kaito Lea Liam Mina Nadia Noah Olga Pavel Priya Rosa Samir Sofia Tomas Uma Victor Wanda Yara Zoe`
  .trim()
  .split(/\s+/);
const LAST_NAMES = `
  Abara Almeida Becker Castell Dahl Demir Eriksen Farkas Greco Hollis Ito Jansen Kowal Lind Marsh
  Moreau Novak Okafor Park Quist Rahman Sato Silva Tanaka Ueda Vance Weber Yilmaz Zeller`
  .trim()
  .split(/\s+/);
const COMPANIES = `
  Alder & Finch, Bluewater Clinic, Cedar Lane School, Copper Kettle Bakery, Driftwood Studio,
  Eastgate Library, Fernhill Dental, Greenfield Farm Shop, Harbour Street Books, Ironbridge Cycles,
  Juniper Travel, Larkspur Architects, Mill Road Pottery, Northfield Choir, Old Town Printers`
  .trim()
  .split(/,\s+/);
const ROLES = ["executive", "manager", "manager", "developer", "developer", "other", ""] as const;
/** Where people come from, each as often as it stands here. */
export const SOURCES = [
  "direct",
  "direct",
  "direct",
  "unknown",
  "newsletter / email / launch",
  "newsletter / email / launch",
  "google.com",
  "google.com",
  "linkedin.com",
  "news.example",
  "via mara",
  "autumn fair",
] as const;
const DOMAINS = ["example.com", "example.com", "example.org", "example.net"];

/** Creates fictional people with plausible names and different email addresses of example.com, .org or .net. */
export function createPeople(random: Random, count: number) {
  const counts = new Map<string, number>();
  return Array.from({ length: count }, () => {
    const [first, last] = [pickOne(random, FIRST_NAMES), pickOne(random, LAST_NAMES)];
    const plain = `${first}.${last}`.toLowerCase();
    const times = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, times);
    return {
      name: `${first} ${last}`,
      email: `${plain}${times > 1 ? times : ""}@${pickOne(random, DOMAINS)}`,
      company: random() < 0.7 ? pickOne(random, COMPANIES) : "",
      role: pickOne(random, ROLES),
      address: createAddress(random),
      source: pickOne(random, SOURCES),
    };
  });
}

/** Creates an address of the networks reserved for documentation (RFC 5737, RFC 3849). */
export function createAddress(random: Random): string {
  if (random() < 0.3) return `2001:db8:${between(random, 0, 65_535).toString(16)}::1`;
  return `${pickOne(random, ["192.0.2", "198.51.100", "203.0.113"])}.${between(random, 1, 254)}`;
}
