/** X.509 certificates for browsers and servers. Load it on demand: it is large. */
export { chainBreak, readChain, readLeaf, type X509Certificate } from './x509/certificate.ts'
export { checkCertificate, type CertificateProblem, type CheckedCertificate } from './x509/check.ts'
export { publicKeyOf } from './x509/keys.ts'
export { CERTIFICATE_LABEL, type PemBlock, readPem, writePem } from './x509/pem.ts'
