/** Creates update repositories for trials, signed with generated keys. */
import { canonicalize } from '@tufjs/canonical-json'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/index-native.js'
import { uint8ArrayToHex } from 'uint8array-extras'
import './archive.ts'
import { type Bytes, encodeText, sha256 } from './bytes.ts'
import { ARTIFACTS_DOCUMENT } from './repository.ts'

/** A key that signs for all roles of a repository. */
export interface Signer {
  id: string
  public: string
  sign: (text: Bytes) => Promise<string>
}

const publicKey = (key: string) => ({
  keytype: 'ed25519',
  scheme: 'ed25519',
  keyval: { public: key },
})

/** A signer with an Ed25519 key pair. */
export async function signerOf({ publicKey: its, privateKey }: CryptoKeyPair): Promise<Signer> {
  const key = uint8ArrayToHex(await crypto.subtle.exportKey('raw', its))
  return {
    id: await sha256(encodeText(canonicalize(publicKey(key)))),
    public: key,
    sign: async (text) => uint8ArrayToHex(await crypto.subtle.sign('Ed25519', privateKey, text)),
  }
}

/** Generates a key pair that can be stored. */
export const newKeys = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']) as Promise<CryptoKeyPair>

interface Signed {
  signed: Record<string, unknown>
  signatures: { keyid: string; sig: string }[]
}

/** Signs a document, optionally with several signers. */
export async function signDocument(
  signers: readonly Signer[],
  signed: Record<string, unknown>,
): Promise<Signed> {
  const text = encodeText(canonicalize(signed))
  const signatures = await Promise.all(
    signers.map(async ({ id, sign }) => ({ keyid: id, sig: await sign(text) })),
  )
  return { signed, signatures }
}

const document = (type: string, expires: Date, fields: Record<string, unknown>, version = 1) => ({
  _type: type,
  spec_version: '1.0.31',
  version,
  // TUF permits no fractions of a second.
  expires: expires.toISOString().replace(/\.\d+Z$/, 'Z'),
  ...fields,
})

interface RootOptions {
  expires: Date
  version?: number
  /** Additional signers, for a root that succeeds one with other keys. */
  also?: readonly Signer[]
}

/** A root document with one key for all roles. */
export function makeTrustRoot(
  signer: Signer,
  { expires, version = 1, also = [] }: RootOptions,
): Promise<Signed> {
  const role = { keyids: [signer.id], threshold: 1 }
  const roles = { root: role, timestamp: role, snapshot: role, targets: role }
  const fields = {
    keys: { [signer.id]: publicKey(signer.public) },
    roles,
    consistent_snapshot: true,
  }
  return signDocument([signer, ...also], document('root', expires, fields, version))
}

export interface NewArtifact {
  name: string
  version: string
  kind: string
  data: Bytes
}

interface RepositoryOptions {
  systemVersion: string
  artifacts: readonly NewArtifact[]
  expires: Date
  /** Roots in the archive, oldest first. */
  roots: readonly Signed[]
}

/** Files of a repository by path. */
export async function repositoryFiles(
  signer: Signer,
  { systemVersion, artifacts, expires, roots }: RepositoryOptions,
): Promise<Map<string, Bytes>> {
  const files = new Map<string, Bytes>()
  const targets: Record<string, { length: number; hashes: { sha256: string } }> = {}
  const addTarget = async (name: string, data: Bytes) => {
    const hash = await sha256(data)
    targets[name] = { length: data.length, hashes: { sha256: hash } }
    files.set(`targets/${hash}.${name}`, data)
  }
  const described = []
  for (const { name, version, kind, data } of artifacts) {
    const target = `${kind}-${name}-${version}.bin`
    await addTarget(target, data)
    described.push({ name, version, kind, target })
  }
  const index = { system_version: systemVersion, artifacts: described }
  await addTarget(ARTIFACTS_DOCUMENT, encodeText(JSON.stringify(index)))

  const addMetadata = async (file: string, signed: Signed) => {
    const bytes = encodeText(JSON.stringify(signed))
    files.set(`metadata/${file}`, bytes)
    return { version: 1, length: bytes.length, hashes: { sha256: await sha256(bytes) } }
  }
  const sign = (type: string, fields: Record<string, unknown>) =>
    signDocument([signer], document(type, expires, fields))
  for (const root of roots) await addMetadata(`${String(root.signed.version)}.root.json`, root)
  const targetsFile = await addMetadata('1.targets.json', await sign('targets', { targets }))
  const snapshotFile = await addMetadata(
    '1.snapshot.json',
    await sign('snapshot', { meta: { 'targets.json': targetsFile } }),
  )
  await addMetadata(
    'timestamp.json',
    await sign('timestamp', { meta: { 'snapshot.json': snapshotFile } }),
  )
  return files
}

/** A zip archive of files. */
export async function zipOf(files: ReadonlyMap<string, Uint8Array>): Promise<Bytes> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { level: 6 })
  for (const [name, data] of files) await zip.add(name, new Uint8ArrayReader(data))
  return new Uint8Array(await zip.close())
}

/** A repository as an archive for operators to upload. */
export async function makeRepository(signer: Signer, options: RepositoryOptions): Promise<Bytes> {
  return zipOf(await repositoryFiles(signer, options))
}
