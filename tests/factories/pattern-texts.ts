import type { RepeatedText } from "./cpu-time";

/** What the patterns of a text look for, and what almost is. */
const UNITS = [
  ..."a1 :@/\\\"'=?&;,.%-+_<>[](){}#*^\n\r\té王\u0301\u200b\ud800",
  ...'a. a@ @a :@ a: a, ,a a; a= =a " \\" "" \'\' // a:// a:b@ //a@ ?a= &a= %2 ]: a\n \r\n \n\n'
    .split(" ")
    .filter(Boolean),
  ...'{{ {{name {{name}} http:// https://a (a) a) t=1, v1= q=, W/ =? =?a?Q?a?= password= token=a, secret=" pwd=\\"'.split(
    " ",
  ),
  'password":"',
  'password\\":\\"',
  "Version/1 ",
  "Version/1 Safari",
  "2026-11-27 [INFO] ",
  "550 5.1.1 ",
  "Bearer ",
  "www.a",
  "1.2.3.4",
];
const BEGINS = ["", '"', "["];
const ENDS = ["", "!", "\n", "@"];

/** Texts for `findSuperlinear`: each unit many times, between two ends. */
export const PATTERN_TEXTS: readonly RepeatedText[] = UNITS.flatMap((unit) =>
  BEGINS.flatMap((begin) => ENDS.map((end) => ({ begin, unit, end }))),
);
