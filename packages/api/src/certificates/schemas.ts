import { description, Name, named, oneOf, record, string } from '../schema.ts'

export const ServiceUsingCertificate = named('ServiceUsingCertificate', oneOf('external_api'))

/** Chain and key are PEM. */
export const CertificateCreate = record('CertificateCreate', {
  name: Name,
  description,
  cert: string,
  key: string,
  service: ServiceUsingCertificate,
})
