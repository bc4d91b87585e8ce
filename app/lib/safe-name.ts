/**
 * A scheme or "//", an address, "www.", a host name with a top-level domain of two letters or more, an IPv4 address.
 * Initials ("J.R.R. Tolkien"), degrees ("Ph.D.") and a full stop before a space are none of these.
 */
const LINK_LIKE =
  /\/\/|\p{L}:\S|\S@\S|www\.|[^\s.]\.\p{L}\p{M}*[\p{L}-]|(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/iu;

/** Characters without a visible form: zero-width ones, soft hyphens, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** The only label separator that NFKC leaves unchanged (UTS 46, section 2.3). */
const IDEOGRAPHIC_FULL_STOP = /\u3002/g;

/**
 * The beginning of an encoded word (RFC 2047), from which an email client may decode anything, in base64 and in another
 * encoded word too. No name has it.
 */
const ENCODED_WORD = "=?";

/** Would turn round the text after a name; the marks of a direction, which languages need, do not. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a name, without controls of direction, if it is safe in an email: empty when an email client may turn it into
 * a link (hardening C42), also by decoding it first (C44), because anybody may type a name into a public form, and the
 * email would carry a stranger's link in our name. The check uses the compatibility form, so that full-width letters
 * count too. No list of top-level domains is consulted, because they are added every month: "Dr.Smith" is omitted too
 * (docs/decisions/0060).
 */
export function toSafeName(name: string | undefined): string {
  if (name === undefined) return "";
  const folded = name.normalize("NFKC").replace(INVISIBLE, "").replace(IDEOGRAPHIC_FULL_STOP, ".");
  return folded.includes(ENCODED_WORD) || LINK_LIKE.test(folded) ? "" : name.replace(DIRECTION_CONTROLS, "");
}
