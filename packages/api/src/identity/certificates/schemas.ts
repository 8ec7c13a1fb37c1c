import {
  dateTime,
  identity,
  identityCreate,
  list,
  longText,
  Name,
  named,
  oneOf,
  record,
  uuid,
} from '../../schema.ts'

/** Service that uses the certificate. */
export const ServiceUsingCertificate = named('ServiceUsingCertificate', oneOf('external_api'))

export const Certificate = record('Certificate', {
  ...identity,
  service: ServiceUsingCertificate,
  /** PEM: the host's certificate, followed by its intermediates. */
  cert: longText,
})

/** A certificate that expires soon or has expired, without a replacement in its silo. */
const EndingCertificate = record('EndingCertificate', {
  id: uuid,
  name: Name,
  silo_id: uuid,
  silo_name: Name,
  time_ends: dateTime,
})
export const EndingCertificates = record('EndingCertificates', { items: list(EndingCertificate) })

export const CertificateCreate = record('CertificateCreate', {
  ...identityCreate,
  service: ServiceUsingCertificate,
  cert: longText,
  /** PEM. It is never returned. */
  key: longText,
})
