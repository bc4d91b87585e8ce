/**
 * Masks secrets in texts that may be shown or logged (hardening C43). The shapes: logins in URLs of any scheme,
 * also with "@", "/" or quotes in the password; `key=value` pairs as StackExchange.Redis, ADO.NET, libpq and shells
 * write them; query parameters; JSON, also JSON within a string of JSON.
 */

const MASK = "***";

/** The endings of a secret's name: REDIS_PASSWORD, client_secret, AccountKey. */
const SECRET_KEY =
  "(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|account|private|shared)[_-]?key|(?<![a-z])(?:pass|auth))";
const LOGIN_KEY = "(?<![a-z])(?:user(?:name)?|user id|uid)";
const KEY = `(?:${SECRET_KEY}|${LOGIN_KEY})`;

/** A quote inside a text; the closing quote of a JSON string is followed by JSON punctuation. */
const INNER_QUOTE = '"(?![,}\\]:\\s]|$)';
/** A character; a backslash is consumed with the character it escapes, so that a line of JSON stays valid. */
const CHARACTER = `(?:\\\\\\S|[^\\s"\\\\]|${INNER_QUOTE})`;

const QUERY_PARAMETER = new RegExp(`([?&][\\w.-]{0,40}?${KEY}=)(?:(?![&#])${CHARACTER})+`, "gi");

/** The next pair of a list: a password may hold a comma, a semicolon and an equals sign. */
const NEXT_PAIR = "[,;]\\s?[\\w.-]{1,30}(?: [\\w.-]{1,30})?\\s?=";
const VALUE = [
  `"(?![,}\\]:])[^"]*"`,
  `\\\\"(?:[^"\\\\]|\\\\[^"])*\\\\"`,
  "'[^'\"]*'",
  // With spaces, as far as a semicolon.
  `[^;"'=\\\\\\r\\n]+={0,2}(?=;)`,
  `(?:(?!${NEXT_PAIR})${CHARACTER})+`,
].join("|");
const PAIR = new RegExp(`(?<![?&][\\w.-]{0,40})(${KEY}\\s{0,3}=[^\\S\\r\\n]{0,3})(?:${VALUE})`, "gi");

const JSON_FIELD = new RegExp(
  `(${SECRET_KEY}"\\s{0,3}:\\s{0,3}")(?:\\\\[^]|[^"\\\\])*|` +
    `(${SECRET_KEY}(\\\\+")\\s{0,3}:\\s{0,3}\\3)(?:[^"\\\\]|\\\\[^"])*(?=\\\\")`,
  "gi",
);

const WORD = new RegExp(`${CHARACTER}+`, "g");
const HOST_AND_PORT = /^(?:\[[^\]]*\]|[^:@]*):\d{1,5}$/;
/** A connection string without a scheme, and nothing else. */
const BARE_LOGIN = /^[^\s"@/]*:[^\s"]*@(?=[^\s"@]+$)/;

/** Replaces users and passwords with "***". @param known secrets masked wherever they appear, in any shape. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of known) if (secret !== "") masked = masked.replaceAll(secret, MASK);
  if (masked.includes('"'))
    masked = masked.replace(JSON_FIELD, (_, plain, escaped) => (plain ?? escaped) + MASK);
  // Before logins: an "@" in the value of a pair does not end a login.
  if (masked.includes("=")) masked = masked.replace(QUERY_PARAMETER, `$1${MASK}`).replace(PAIR, `$1${MASK}`);
  if (masked.includes("@")) {
    masked = masked.includes("//") ? masked.replace(WORD, maskLogin) : masked.replace(BARE_LOGIN, LOGIN);
  }
  return masked;
}

const LOGIN = `${MASK}:${MASK}@`;

/** Masks the logins of the URLs in a word. One ends at the last "@": a password may contain one, and a URL. */
function maskLogin(word: string): string {
  const end = word.lastIndexOf("@");
  for (let at = word.indexOf("//"); at !== -1 && at < end; at = word.indexOf("//", at + 2)) {
    const [authority = ""] = word.slice(at + 2).split(/[/?#]/, 1);
    const isLogin = /[:@]/.test(authority) && !HOST_AND_PORT.test(authority);
    if (isLogin) return `${word.slice(0, at)}//${LOGIN}${word.slice(end + 1)}`;
  }
  return word;
}
