import { Certificate, CertificateCreate, EndingCertificates } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const certificateOperations = usual('certificate', { item: Certificate, tag: 'silos' })({
  certificate_list: { summary: "List the certificates of the caller's silo" },
  certificate_ending_list: {
    route: 'GET /x/v1/certificates/ending',
    summary: 'List the certificates that expire soon and are visible to the caller',
    permission: 'session',
    evenIfLimited: true,
    live: true,
    answer: EndingCertificates,
  },
  certificate_create: { summary: 'Add a certificate to the silo', body: CertificateCreate },
  certificate_view: { summary: "Show a certificate of the caller's silo" },
  certificate_delete: { summary: 'Delete a certificate of the silo' },
})
