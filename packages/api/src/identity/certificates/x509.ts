/**
 * X.509 certificates for browsers and servers. Load it on demand: it is large.
 *
 * Built on the structures of @peculiar/asn1-x509 and WebCrypto. The library above these,
 * @peculiar/x509, needs a polyfill of `Reflect` in every page and server, has 47 kB instead of 29,
 * and covers neither our chain checks, purposes and key matching nor their messages.
 */
export {
  beginsWithIssuer,
  chainBreak,
  missingIssuer,
  readChain,
  readLeaf,
  type X509Certificate,
} from './x509/certificate.ts'
export { checkCertificate, type CertificateProblem, type CheckedCertificate } from './x509/check.ts'
export { publicKeyOf, unusualKey } from './x509/keys.ts'
export { CERTIFICATE_LABEL, type PemBlock, readPem, writePem } from './x509/pem.ts'
