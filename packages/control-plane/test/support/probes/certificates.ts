import { makeCertificate } from '../../../../api/test/support/certificates.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const body = async () => {
  const { cert, key } = await makeCertificate({ names: ['main.sys.example'] })
  return { name: fresh(), description: '', service: 'external_api' as const, cert, key }
}
/** The arguments of a call about a new certificate. */
const aboutOne = async () => {
  const { id } = await server.admin.call('certificate_create', { body: await body() })
  return { params: { certificate: id } }
}

export const certificatesProbes = {
  certificate_list: plain,
  certificate_ending_list: plain,
  certificate_create: { args: async () => ({ body: await body() }) },
  certificate_view: { args: aboutOne },
  certificate_delete: { args: aboutOne },
} satisfies Partial<Probes>
