import type { DeployCheck } from "./deploy-check";
import { notApplicable, ok, trouble } from "./deploy-check";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/** Checks of the public address. */
export const addressChecks: readonly DeployCheck[] = [
  {
    id: "origin-set",
    severity: "error",
    check: ({ settings: { ORIGIN }, origin }) =>
      ORIGIN === undefined
        ? trouble(`Set ORIGIN to the public address: links in mails would lead to ${origin}.`)
        : ok(`The public address is ${ORIGIN}.`),
  },
  {
    id: "origin-https",
    severity: "error",
    check: ({ settings: { ORIGIN } }) => {
      if (ORIGIN === undefined) return notApplicable("ORIGIN is not set.");
      return ORIGIN.startsWith("https:")
        ? ok("ORIGIN begins with https.")
        : trouble("Let ORIGIN begin with https, and a proxy with a certificate answer there.");
    },
  },
  {
    id: "cookie-secure",
    severity: "error",
    check: ({ sessionCookie }) =>
      /^__Host-/.test(sessionCookie) && /;\s*Secure\b/i.test(sessionCookie)
        ? ok("The session's cookie goes over https alone and is bound to the host.")
        : trouble(
            "The session's cookie would go over plain http: it is Secure once ORIGIN begins with https.",
          ),
  },
  {
    id: "origin-answers",
    severity: "warning",
    check: ({ answerAtOrigin, origin }) => {
      if (!answerAtOrigin) return notApplicable("ORIGIN is not set.");
      const { status, trouble: words } = answerAtOrigin;
      if (words !== undefined) {
        return trouble(
          `Nothing answers at ${origin} (${words}): start the server, look at proxy and certificate.`,
        );
      }
      if (status === 200) return ok(`${origin}/healthz answers 200.`);
      const hint = status === 421 ? "let the proxy keep Host" : "look at the proxy";
      return trouble(`${origin}/healthz answers ${status}, not 200: ${hint}.`);
    },
  },
  {
    id: "http-redirected",
    severity: "warning",
    check: ({ answerAtOrigin, origin }) => {
      if (!origin.startsWith("https:") || !answerAtOrigin || answerAtOrigin.trouble !== undefined) {
        return notApplicable("There is no https address that answers.");
      }
      const { plainHttp } = answerAtOrigin;
      if (!plainHttp) return ok("Nobody answers over plain http.");
      const isRedirect = plainHttp.status >= 300 && plainHttp.status < 400;
      return isRedirect && plainHttp.location.startsWith(`${origin}/`)
        ? ok("Plain http leads to https.")
        : trouble(`Plain http answers ${plainHttp.status}: let the proxy redirect it to ${origin}/.`);
    },
  },
  {
    id: "proxy-trust",
    severity: "warning",
    check: ({ origin, settings: { TRUST_PROXY } }) => {
      if (!origin.startsWith("https:")) return notApplicable("Without https there may be no proxy.");
      return TRUST_PROXY > 0
        ? ok(`TRUST_PROXY is ${TRUST_PROXY}: a visitor's address comes from X-Forwarded-For.`)
        : trouble(
            "Set TRUST_PROXY to the number of proxies: with 0 all visitors share the proxy's address and its limits, and a flood from one network cannot be told from the rest.",
          );
    },
  },
  {
    id: "listen-address",
    severity: "warning",
    check: ({ settings: { HOST, TRUST_PROXY } }) => {
      if (TRUST_PROXY === 0) return notApplicable("No proxy is believed.");
      return HOST !== undefined && LOOPBACK.test(HOST)
        ? ok(`The server listens on ${HOST} alone.`)
        : trouble(
            "Whoever reaches the port past the proxy can forge X-Forwarded-For: set HOST=127.0.0.1, or close the port to others.",
          );
    },
  },
];
