import { generateKeyPairSync, sign, type KeyPairKeyObjectResult } from "node:crypto";

/** Encodes one DER value (X.690): tag, length, content. */
function der(tag: number, ...contents: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const hex = (tag: number, content: string) => der(tag, Buffer.from(content, "hex"));

const ECDSA_WITH_SHA256 = sequence(hex(0x06, "2a8648ce3d040302"));
const RSA_WITH_SHA256 = sequence(hex(0x06, "2a864886f70d01010b"), der(0x05));
const COMMON_NAME = hex(0x06, "550403");
const SUBJECT_ALT_NAME = hex(0x06, "551d11");

/**
 * Makes a self-signed certificate (RFC 5280): a client that trusts it as `ca` accepts a server that presents it
 * under its names.
 */
export function createSelfSigned(name: string, ...otherNames: string[]): { key: string; cert: string } {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return createCertificate(pair, ECDSA_WITH_SHA256, [name, ...otherNames]);
}

export function createSelfSignedRsa(name: string): { key: string; cert: string } {
  return createCertificate(generateKeyPairSync("rsa", { modulusLength: 2048 }), RSA_WITH_SHA256, [name]);
}

function createCertificate(
  { publicKey, privateKey }: KeyPairKeyObjectResult,
  algorithm: Buffer,
  names: string[],
) {
  const subject = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, names[0] ?? ""))));
  const allNames = sequence(...names.map((name) => der(0x82, name)));
  const content = sequence(
    der(0xa0, hex(0x02, "02")),
    hex(0x02, "01"),
    algorithm,
    subject,
    sequence(der(0x18, "20200101000000Z"), der(0x18, "21200101000000Z")),
    subject,
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, allNames)))),
  );
  const signature = sign("sha256", content, privateKey);
  const certificate = sequence(content, algorithm, der(0x03, Buffer.of(0), signature));
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}
