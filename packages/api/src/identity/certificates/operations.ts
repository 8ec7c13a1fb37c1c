import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import {
  Certificate,
  CertificateCreate,
  CertificateResultsPage,
  EndingCertificates,
} from './schemas.ts'

const tags = ['silos']

export const certificateOperations = {
  certificate_list: {
    method: 'GET',
    path: '/v1/certificates',
    tags,
    summary: "List the certificates of the caller's silo",
    permission: { certificate: 'list' },
    ...paged('name_or_id'),
    success: { status: 200, schema: CertificateResultsPage },
  },
  certificate_ending_list: {
    method: 'GET',
    path: '/x/v1/certificates/ending',
    tags: ['extensions'],
    summary: 'List the certificates that expire soon and are visible to the caller',
    permission: 'session',
    evenIfLimited: true,
    live: true,
    success: { status: 200, schema: EndingCertificates },
  },
  certificate_create: {
    method: 'POST',
    path: '/v1/certificates',
    tags,
    summary: 'Add a certificate to the silo',
    permission: { certificate: 'create' },
    body: CertificateCreate,
    success: { status: 201, schema: Certificate },
  },
  certificate_view: {
    method: 'GET',
    path: '/v1/certificates/{certificate}',
    tags,
    summary: "Show a certificate of the caller's silo",
    permission: { certificate: 'read' },
    params: { certificate: NameOrId },
    success: { status: 200, schema: Certificate },
  },
  certificate_delete: {
    method: 'DELETE',
    path: '/v1/certificates/{certificate}',
    tags,
    summary: 'Delete a certificate of the silo',
    permission: { certificate: 'modify' },
    params: { certificate: NameOrId },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
