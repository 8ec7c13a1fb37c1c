import { identity, identityCreate, named, oneOf, record, resultsPage, string } from '../schema.ts'

/** What a certificate is for. */
export const ServiceUsingCertificate = named('ServiceUsingCertificate', oneOf('external_api'))

export const Certificate = record('Certificate', {
  ...identity,
  service: ServiceUsingCertificate,
  /** PEM: the certificate of the host, then those that vouch for it. */
  cert: string,
})
export const CertificateResultsPage = resultsPage('Certificate', Certificate)

export const CertificateCreate = record('CertificateCreate', {
  ...identityCreate,
  service: ServiceUsingCertificate,
  cert: string,
  /** PEM. It is never returned. */
  key: string,
})
