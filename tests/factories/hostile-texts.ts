/**
 * Texts that hostile visitors type (hardening C14, C21, C25, R25). A script among them that runs changes the
 * page's title.
 */
export const HOSTILE_TEXTS = [
  `</script><script>document.title="owned"</script>`,
  `<img src=x onerror='document.title="owned"'>`,
  `"><svg onload=document.title="owned">`,
  `javascript:document.title="owned"`,
  "{{7*7}}${7*7}<%= 7*7 %>",
  "\u202Egnp.exe\u2066 and \u200Fback",
  "line\u2028separator\u2029and\u0085more",
  "=cmd|' /C calc'!A0",
  "+1+cmd",
  "-2+3",
  "@SUM(A1:A9)",
  "\uFF1D1+1",
  "\t=1",
  "👩‍👩‍👧‍👦 family",
  "e\u0301 or \u00e9",
  "Z\u0351\u0343\u0301\u0336a\u0322\u0361l\u0489g\u030ao",
  "lone \ud800 surrogate",
  "İstanbul",
  "' or 1=1; drop table submissions; --",
  "a\r\nBcc: e@example.com",
  "nul \0 byte",
  "\x1b[31mred\x07",
  "../../etc/passwd",
  "%00%0d%0a",
] as const;
