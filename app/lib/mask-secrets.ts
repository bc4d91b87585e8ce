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
const INNER_QUOTE = String.raw`"(?![,}\]:\s]|$)`;
/** A character; a backslash is consumed with the character it escapes, so that a line of JSON stays valid. */
const CHARACTER = String.raw`(?:\\\S|[^\s"\\]|${INNER_QUOTE})`;

/** The next pair of a list: a password may hold a comma, a semicolon and an equals sign. */
const NEXT_PAIR = String.raw`[,;]\s?[\w.-]{1,30}(?: [\w.-]{1,30})?\s?=`;
const PAIR_VALUE = [
  String.raw`"(?![,}\]:])[^"]*"`,
  String.raw`\\"(?:[^"\\]|\\[^"])*\\"`,
  `'[^'"]*'`,
  // With spaces, as far as a semicolon; what follows that without a space belongs to it, too.
  String.raw`[^;"'=\\\r\n]+={0,2}(?=;)(?:(?!${NEXT_PAIR}|;(?!${CHARACTER}))${CHARACTER})*`,
  `(?:(?!${NEXT_PAIR})${CHARACTER})+`,
].join("|");

interface Shape {
  readonly name: string;
  readonly example: string;
  /** A text without this character has no secret of the shape. */
  readonly sign: string;
  /** Takes time in proportion to the text, whatever that is (hardening C52). */
  readonly pattern: RegExp;
  /** As `String.replace` takes it. */
  readonly mask: string | ((found: string) => string);
}

/** The shapes of secrets, masked in this order: an "@" in the value of a pair does not end a login. */
export const SHAPES: readonly Shape[] = [
  {
    name: "field of JSON",
    example: '{"password": "s3cret"}',
    sign: '"',
    pattern: new RegExp(String.raw`(${SECRET_KEY}"\s{0,3}:\s{0,3}")(?:\\[^]|[^"\\])*`, "gi"),
    mask: `$1${MASK}`,
  },
  {
    name: "field of JSON within a string of JSON",
    example: '{"said": "{\\"password\\": \\"s3cret\\"}"}',
    sign: '"',
    pattern: new RegExp(String.raw`(${SECRET_KEY}(\\+")\s{0,3}:\s{0,3}\2)(?:[^"\\]|\\[^"])*(?=\\")`, "gi"),
    mask: `$1${MASK}`,
  },
  {
    name: "query parameter",
    example: "https://h/?token=s3cret&x=1",
    sign: "=",
    pattern: new RegExp(String.raw`([?&][\w.-]{0,40}?${KEY}=)(?:(?![&#])${CHARACTER})+`, "gi"),
    mask: `$1${MASK}`,
  },
  {
    name: "pair of a list",
    example: "h:6380,password=s3cret,ssl=True",
    sign: "=",
    pattern: new RegExp(
      String.raw`(?<![?&][\w.-]{0,40})(${KEY}\s{0,3}=[^\S\r\n]{0,3})(?:${PAIR_VALUE})`,
      "gi",
    ),
    mask: `$1${MASK}`,
  },
  {
    name: "login of a URL",
    example: "redis://ops:s3cret@cache:6379",
    sign: "@",
    pattern: new RegExp(`${CHARACTER}+`, "g"),
    mask: maskUrlLogin,
  },
  {
    name: "login without a scheme, and nothing else",
    example: "ops:s3cret@cache:6379",
    sign: "@",
    pattern: /^[^\s"@/:]*:(?!\/\/)[^\s"]*@(?=[^\s"@]+$)/,
    mask: `${MASK}:${MASK}@`,
  },
];

/** Replaces users and passwords with "***". @param known secrets masked wherever they appear, in any shape. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  let masked = text;
  for (const secret of known) if (secret !== "") masked = masked.replaceAll(secret, MASK);
  for (const { sign, pattern, mask } of SHAPES) {
    // The overloads of `replace` take one or the other.
    if (masked.includes(sign))
      masked = typeof mask === "string" ? masked.replace(pattern, mask) : masked.replace(pattern, mask);
  }
  return masked;
}

/** Read beyond the beginning that is asked for, so that a secret at its end is recognised. */
const MARGIN = 1024;
/** Ends whatever a cut text had begun: a pair, a quoted one, one in a string of JSON, a login. */
const ENDS = `;'\\"@`;

/**
 * Masks the beginning of a text of any length, and reads no more of it than that takes (hardening C52).
 * @returns at most `length` characters.
 */
export function maskBeginning(text: string, length: number, known: readonly string[] = []): string {
  if (text.length <= length + MARGIN) return maskSecrets(text, known).slice(0, length);
  const masked = maskSecrets(text.slice(0, length + MARGIN) + ENDS, known);
  return masked.slice(0, Math.max(0, Math.min(length, masked.length - MARGIN)));
}

const HOST_AND_PORT = /^(?:\[[^\]]*\]|[^:@]*):\d{1,5}$/;

/** Masks the logins of the URLs in a word. One ends at the last "@": a password may contain one, and a URL. */
function maskUrlLogin(word: string): string {
  const end = word.lastIndexOf("@");
  for (let at = word.indexOf("//"); at !== -1 && at < end; at = word.indexOf("//", at + 2)) {
    const [authority = ""] = word.slice(at + 2).split(/[/?#]/, 1);
    const isLogin = /[:@]/.test(authority) && !HOST_AND_PORT.test(authority);
    if (isLogin) return `${word.slice(0, at)}//${MASK}:${MASK}@${word.slice(end + 1)}`;
  }
  return word;
}
