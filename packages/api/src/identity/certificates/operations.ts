import { Certificate, CertificateCreate, EndingCertificates } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const certificateOperations = usual('certificate', { item: Certificate, tag: 'silos' })({
  list: { summary: "List the certificates of the caller's silo" },
  ending_list: {
    route: 'GET /x/v1/certificates/ending',
    summary: 'List the certificates that expire soon and are visible to the caller',
    permission: 'session',
    evenIfLimited: true,
    live: true,
    answer: EndingCertificates,
  },
  create: { summary: 'Add a certificate to the silo', body: CertificateCreate },
  view: { summary: "Show a certificate of the caller's silo" },
  delete: { summary: 'Delete a certificate of the silo' },
})
