import { Resolver } from "node:dns/promises";
import { seconds } from "~/lib/durations";
import { getErrorMessage } from "~/lib/error-message";
import { getOrganization } from "~/lib/example-domain";
import type { Clock } from "~/services/service-deps";

const TIMEOUT_MS = seconds(5);

interface OriginResponse {
  /** The network's error message, without a response. */
  readonly problem?: string;
  /** The status of /healthz. */
  readonly status?: number;
  /** How far its clock is ahead of ours, in milliseconds, accurate to the second. */
  readonly clockAheadMs?: number | undefined;
  /** The response of the same host without TLS; undefined without one. */
  readonly plainHttp?: { readonly status: number; readonly location: string } | undefined;
}

/** Requests /healthz at the public address. Never throws. */
export async function probeOrigin(origin: string, clock: Clock): Promise<OriginResponse> {
  const sentAt = clock();
  try {
    const { status, headers } = await request(`${origin}/healthz`);
    const date = Date.parse(headers.get("Date") ?? "");
    // The header has whole seconds: assumes the middle of one.
    const ahead = date + seconds(0.5) - (sentAt + clock()) / 2;
    const clockAheadMs = Number.isNaN(date) ? undefined : Math.round(ahead);
    return { status, clockAheadMs, plainHttp: await probePlainHttp(origin) };
  } catch (error) {
    return { problem: getNetworkProblem(error) };
  }
}

/** Returns where http redirects to; undefined without a response, and where ORIGIN has a port of its own. */
async function probePlainHttp(origin: string): Promise<OriginResponse["plainHttp"]> {
  const { protocol, hostname, port } = new URL(origin);
  if (protocol !== "https:" || port !== "") return undefined;
  return request(`http://${hostname}/`).then(
    ({ status, headers }) => ({ status, location: headers.get("Location") ?? "" }),
    () => undefined,
  );
}

async function request(url: string): Promise<Response> {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  return response;
}

/** Returns the code, or else the message, of the network's error, which fetch keeps as the cause. */
function getNetworkProblem(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const nearest = cause instanceof Error ? cause : error;
  const { code } = nearest as { code?: unknown };
  return typeof code === "string" ? code : getErrorMessage(nearest);
}

/** What DNS says of a domain; undefined where it did not answer. */
export interface MailRecords {
  readonly hasSpf: boolean | undefined;
  readonly hasDmarc: boolean | undefined;
  /** The domain with the DMARC record: the domain itself, or that of its organization. */
  readonly dmarcDomain?: string | undefined;
}

type TextRecords = (name: string) => Promise<readonly (readonly string[])[]>;

/**
 * Looks up a domain's SPF and DMARC records (RFC 7208, RFC 7489); DKIM's cannot be looked up without its selector.
 */
export async function lookUpMailRecords(
  domain: string,
  textRecords: TextRecords = resolver(),
): Promise<MailRecords> {
  const has = async (name: string, version: RegExp): Promise<boolean | undefined> => {
    try {
      return (await textRecords(name)).some((pieces) => version.test(pieces.join("")));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      return code === "ENOTFOUND" || code === "ENODATA" ? false : undefined;
    }
  };
  const hasDmarcAt = (name: string) => has(`_dmarc.${name}`, /^v=DMARC1\b/i);
  const organization = getOrganization(domain);
  const [hasSpf, own, above] = await Promise.all([
    has(domain, /^v=spf1\b/i),
    hasDmarcAt(domain),
    // The organization's record applies to the domains below it.
    hasDmarcAt(organization),
  ]);
  if (own || above) return { hasSpf, hasDmarc: true, dmarcDomain: own ? domain : organization };
  return { hasSpf, hasDmarc: own === undefined || above === undefined ? undefined : false };
}

function resolver(): TextRecords {
  const dns = new Resolver({ timeout: seconds(2), tries: 1 });
  return (name) => dns.resolveTxt(name);
}
