import type { ApiClient } from '@steading/api/client'
import { requiredArtifacts } from '@steading/api/rules'
import { makeRepository, makeTrustRoot, newKeys, sampleArtifacts, signerOf } from '@steading/tuf'
import { signIn } from './host.ts'
import { ok } from './seed.ts'
import { daysFromNow } from './times.ts'

/** Creates releases that are trusted once their root is added. */
export async function createPublisher() {
  const expires = daysFromNow(1)
  const signer = await signerOf(await newKeys())
  const root = await makeTrustRoot(signer, { expires })
  return {
    root,
    release: (systemVersion: string) =>
      makeRepository(signer, {
        systemVersion,
        artifacts: sampleArtifacts(systemVersion, requiredArtifacts),
        expires,
        roots: [root],
      }),
  }
}

/** Adds releases by version, with their trust root. */
export async function addReleases(
  api: ApiClient,
  { url }: { url: string },
  ...versions: string[]
): Promise<void> {
  const { root, release } = await createPublisher()
  const session = await signIn(url)
  await ok(api.systemUpdateTrustRootCreate({ body: root }))
  for (const version of versions) {
    const path = `/v1/system/update/repositories?file_name=steading-${version}.zip`
    const response = await fetch(url + path, {
      method: 'PUT',
      headers: { cookie: `session=${session}`, 'content-type': 'application/octet-stream' },
      body: await release(version),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}
