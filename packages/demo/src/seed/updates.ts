/** A trusted publisher, and two of its releases that have not been installed. */
import { requiredArtifacts } from '@steading/api/rules'
import { makeRepository, makeTrustRoot, newKeys, sampleArtifacts, signerOf } from '@steading/tuf'
import type { Cloud } from './cloud.ts'
import type { Moment } from './timeline.ts'

/** The documents are signed, so this time cannot be moved with the others. */
const EXPIRES = new Date('2046-01-01T00:00:00Z')
const RELEASES = ['1.0.0', '1.1.0']
async function releasesArrive({ fetch }: Cloud): Promise<void> {
  const expires = EXPIRES
  const signer = await signerOf(await newKeys())
  const root = await makeTrustRoot(signer, { expires })
  const send = async (method: string, path: string, body: BodyInit, type: string) => {
    const response = await fetch(path, { method, body, headers: { 'content-type': type } })
    if (!response.ok) throw new Error(`seeding failed: ${response.status} ${path}`)
  }
  const json = 'application/json'
  await send('POST', '/v1/system/update/trust-roots', JSON.stringify(root), json)
  for (const version of RELEASES) {
    const archive = await makeRepository(signer, {
      systemVersion: version,
      artifacts: sampleArtifacts(version, requiredArtifacts),
      expires,
      roots: [root],
    })
    const path = `/v1/system/update/repositories?file_name=release-${version}.zip`
    await send('PUT', path, archive, 'application/octet-stream')
  }
}

export const updateMoments: Moment[] = [{ daysAgo: 3, happen: releasesArrive }]
