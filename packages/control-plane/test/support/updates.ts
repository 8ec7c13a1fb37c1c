/** Signed repositories of releases, and their uploads. */
import type { Wire } from '@steading/api'
import { requiredArtifacts } from '@steading/api/rules'
import {
  makeRepository,
  makeTrustRoot,
  newKeys,
  sampleArtifacts,
  type Signer,
  signerOf,
} from '@steading/tuf'
import { type Answer, answerOf, type Caller, validate } from './caller.ts'
import { fromNow } from './times.ts'

/** A day from now. */
const expires = () => fromNow(24 * 60 * 60 * 1000)

export interface Publisher {
  signer: Signer
  root: Awaited<ReturnType<typeof makeTrustRoot>>
  /** The archive of a release. */
  release: (version: string, kinds?: readonly string[]) => Promise<Uint8Array<ArrayBuffer>>
}

export async function createPublisher(): Promise<Publisher> {
  const signer = await signerOf(await newKeys())
  const root = await makeTrustRoot(signer, { expires: expires() })
  return {
    signer,
    root,
    release: (systemVersion, kinds = requiredArtifacts) =>
      makeRepository(signer, {
        systemVersion,
        artifacts: sampleArtifacts(systemVersion, kinds),
        expires: expires(),
        roots: [root],
      }),
  }
}

/** A publisher whose releases are trusted. */
export async function trustedPublisher(admin: Caller): Promise<Publisher> {
  const publisher = await createPublisher()
  await admin.call('system_update_trust_root_create', { body: publisher.root })
  return publisher
}

/** Sends bytes, and validates the answer against the contract. */
export async function sendBytes(
  caller: Caller,
  method: 'PUT',
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const init = {
    method,
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/octet-stream', ...headers },
  }
  const answer = await answerOf(await caller.fetch(path, init as RequestInit))
  validate(method, path, answer)
  return answer
}

/** Uploads an archive in one call. */
export const sendRepository = (caller: Caller, archive: BodyInit, fileName = 'release.zip') =>
  sendBytes(
    caller,
    'PUT',
    `/v1/system/update/repositories?file_name=${encodeURIComponent(fileName)}`,
    archive,
  )

/** Uploads the release of a version, which must be accepted. */
export async function addRelease(
  admin: Caller,
  publisher: Publisher,
  version: string,
): Promise<Wire.TufRepo> {
  const { status, body } = await sendRepository(admin, await publisher.release(version))
  if (status !== 200) throw new Error(`release ${version} was refused: ${JSON.stringify(body)}`)
  return (body as Wire.TufRepoUpload).repo
}
