import {
  array,
  dateTime,
  identity,
  identityCreate,
  Name,
  named,
  oneOf,
  record,
  resultsPage,
  string,
  uuid,
} from '../../schema.ts'

/** What a certificate is for. */
export const ServiceUsingCertificate = named('ServiceUsingCertificate', oneOf('external_api'))

export const Certificate = record('Certificate', {
  ...identity,
  service: ServiceUsingCertificate,
  /** PEM: the certificate of the host, then those that vouch for it. */
  cert: string,
})
export const CertificateResultsPage = resultsPage('Certificate', Certificate)

/** A certificate that ends soon or has ended, and that no other one of its silo replaces. */
const EndingCertificate = record('EndingCertificate', {
  id: uuid,
  name: Name,
  silo_id: uuid,
  silo_name: Name,
  time_ends: dateTime,
})
export const EndingCertificates = record('EndingCertificates', { items: array(EndingCertificate) })

export const CertificateCreate = record('CertificateCreate', {
  ...identityCreate,
  service: ServiceUsingCertificate,
  cert: string,
  /** PEM. It is never returned. */
  key: string,
})
