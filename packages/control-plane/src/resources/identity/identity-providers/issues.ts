import { CERTIFICATE_WARNING_DAYS, daysLeft } from '@steading/api/rules'
import { base64ToUint8Array } from 'uint8array-extras'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { signingCertificates } from './kind.ts'

/** Expiry of the last certificate that signs assertions; undefined if none can be read. */
async function lastEnd(certificates: string): Promise<Date | undefined> {
  const { CERTIFICATE_LABEL, readLeaf, writePem } = await import('@steading/api/x509')
  const ends = signingCertificates.read(certificates).flatMap((der) => {
    const bytes = base64ToUint8Array(der)
    return readLeaf(writePem({ label: CERTIFICATE_LABEL, bytes }))?.end.getTime() ?? []
  })
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}

export const providerIssues: Finder = async ({ db, now }) => {
  const providers = await db
    .selectFrom('saml_identity_provider as its')
    .innerJoin('silo', 'silo.id', 'its.silo_id')
    .select(['its.id', 'its.name', 'its.idp_certificates', 'silo.name as silo'])
    .where('its.time_deleted', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .orderBy('its.id')
    .execute()
  const found = await Promise.all(
    providers.map(async ({ id, name, silo, idp_certificates }) => {
      const end = await lastEnd(idp_certificates)
      const days = end && daysLeft(end, now)
      if (days === undefined || days >= CERTIFICATE_WARNING_DAYS) return []
      return days < 0
        ? issue('identity_provider_expired', id, end!.toISOString(), { name, silo, days })
        : issue('identity_provider_expiring', id, null, { name, silo, days })
    }),
  )
  return found.flat()
}
