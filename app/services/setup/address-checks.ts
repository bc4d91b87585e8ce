import {
  notApplicable,
  ok,
  problem,
  errorCheck,
  warningCheck,
  slowWarningCheck,
  type SetupCheck,
} from "./setup-check";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/** Checks of the public address. */
export const addressChecks: readonly SetupCheck[] = [
  errorCheck("origin-set", ["ORIGIN"], ({ settings: { ORIGIN }, origin }) =>
    ORIGIN === undefined
      ? problem(`Set ORIGIN to the public address: links in emails would lead to ${origin}.`)
      : ok(`The public address is ${ORIGIN}.`),
  ),
  errorCheck("origin-https", ["ORIGIN"], ({ settings: { ORIGIN } }) => {
    if (ORIGIN === undefined) return notApplicable("ORIGIN is not set.");
    return ORIGIN.startsWith("https:")
      ? ok("ORIGIN begins with https.")
      : problem("Set ORIGIN to an https address, served by a proxy with a certificate.");
  }),
  errorCheck("cookie-secure", ["ORIGIN"], ({ sessionCookie }) =>
    /^__Host-/.test(sessionCookie) && /;\s*Secure\b/i.test(sessionCookie)
      ? ok("The session cookie is sent over https only and is bound to the host.")
      : problem(
          "The session cookie would be sent over plain http: it becomes Secure once ORIGIN begins with https.",
        ),
  ),
  slowWarningCheck("origin-answers", ["ORIGIN"], ({ originResponse, origin }) => {
    if (!originResponse) return notApplicable("ORIGIN is not set.");
    const { status, problem: message } = originResponse;
    if (message !== undefined) {
      return problem(
        `Nothing answers at ${origin} (${message}): start the server, check the proxy and its certificate.`,
      );
    }
    if (status === 200) return ok(`${origin}/healthz answers 200.`);
    const hint = status === 421 ? "configure the proxy to keep the Host header" : "check the proxy";
    return problem(`${origin}/healthz answers ${status}, not 200: ${hint}.`);
  }),
  slowWarningCheck("http-redirected", [], ({ originResponse, origin }) => {
    if (!origin.startsWith("https:") || !originResponse || originResponse.problem !== undefined) {
      return notApplicable("No https address answers.");
    }
    if (new URL(origin).port !== "") return notApplicable("ORIGIN has a port of its own.");
    const { plainHttp } = originResponse;
    if (!plainHttp) return ok("Nothing answers over plain http.");
    const isRedirect = plainHttp.status >= 300 && plainHttp.status < 400;
    return isRedirect && plainHttp.location.startsWith(`${origin}/`)
      ? ok("Plain http redirects to https.")
      : problem(`Plain http answers ${plainHttp.status}: configure the proxy to redirect it to ${origin}/.`);
  }),
  warningCheck("proxy-trust", ["TRUST_PROXY"], ({ origin, settings: { TRUST_PROXY } }) => {
    if (!origin.startsWith("https:")) return notApplicable("Without https there may be no proxy in front.");
    return TRUST_PROXY > 0
      ? ok(`TRUST_PROXY is ${TRUST_PROXY}: a visitor's address comes from X-Forwarded-For.`)
      : problem(
          "Set TRUST_PROXY to the number of proxies: with 0 all visitors share the proxy's address and its rate limits, and an attack from one network looks like everybody.",
        );
  }),
  slowWarningCheck(
    "listen-address",
    ["HOST"],
    ({ settings: { HOST, TRUST_PROXY }, program: { isInContainer } }) => {
      const isLoopback = HOST !== undefined && LOOPBACK.test(HOST);
      if (isInContainer && isLoopback) {
        return problem(`HOST=${HOST} is this container only, and no proxy reaches it: leave HOST empty.`);
      }
      if (TRUST_PROXY === 0) return notApplicable("No proxy is trusted.");
      if (isInContainer) {
        return problem(
          "Anybody who reaches the container's port directly can forge X-Forwarded-For: do not publish it (-p, ports), and let the proxy reach it over a network of the containers.",
        );
      }
      return isLoopback
        ? ok(`The server listens on ${HOST} only.`)
        : problem(
            "Anybody who reaches the port directly can forge X-Forwarded-For: set HOST=127.0.0.1, or close the port to others.",
          );
    },
  ),
];
