/**
 * An update repository as one zip archive: TUF metadata in `metadata`, targets in `targets`,
 * including `artifacts.json`, which describes the other targets.
 */
import { concatUint8Arrays } from 'uint8array-extras'
import * as z from 'zod'
import { type Archive, openArchive, readWhole, type Source } from './archive.ts'
import { sha256, type Bytes } from './bytes.ts'
import {
  checkCurrent,
  checkSigned,
  type MetaFile,
  type Metadata,
  parseMetadata,
  type RoleName,
  type Root,
} from './metadata.ts'
import { TufProblem } from './problem.ts'

export interface Artifact {
  name: string
  version: string
  kind: string
  /** Checksum of its contents. */
  sha256: string
  length: number
}

export interface Repository {
  systemVersion: string
  artifacts: Artifact[]
}

export interface Checks {
  /** At least one of them, or a root that succeeds it, must have signed the repository. */
  trustRoots: readonly unknown[]
  now: Date
  /** An incremental SHA-256 with a hexadecimal digest. */
  digest: () => { update: (data: Uint8Array) => unknown; digest: () => string }
}

/** Maximum size of a metadata document in bytes. */
const METADATA_MAX = 4 * 1024 * 1024
/** Maximum chain of roots in one archive. */
const ROOTS_MAX = 64

export const ARTIFACTS_DOCUMENT = 'artifacts.json'
const short = z.string().min(1).max(255)
const ArtifactsDocument = z.looseObject({
  system_version: short,
  artifacts: z
    .array(z.looseObject({ name: short, version: short, kind: short, target: z.string() }))
    .max(1_000),
})

function parseJson(bytes: Bytes, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new TufProblem(`${what} is not JSON`, { cause: error })
  }
}

/** Folder of the repository in the archive, with a slash; empty for the archive's root. */
function folderOf({ names }: Archive): string {
  const timestamps = names.filter((name) => /^([^/]+\/)?metadata\/timestamp\.json$/.test(name))
  if (timestamps.length !== 1) {
    throw new TufProblem('the archive is not a TUF repository: it has no metadata/timestamp.json')
  }
  return timestamps[0]!.slice(0, -'metadata/timestamp.json'.length)
}

/** Reads the metadata of an archive, checking each document before the next is read. */
function createMetadataReader(archive: Archive, folder: string, now: Date) {
  const nameOf = (file: string) => `${folder}metadata/${file}`
  const read = async <R extends RoleName>(
    role: R,
    file: string,
    said?: MetaFile,
  ): Promise<Metadata<R>> => {
    const bytes = await readWhole(archive, nameOf(file), said?.length ?? METADATA_MAX)
    const hash = said?.hashes?.sha256
    if (hash !== undefined && hash !== (await sha256(bytes))) {
      throw new TufProblem(`${file} is not the one that was signed: its hash differs`)
    }
    const document = parseMetadata(role, parseJson(bytes, file), file)
    if (said && said.version !== document.signed.version) {
      throw new TufProblem(
        `${file} has version ${document.signed.version}, and version ${said.version} was signed`,
      )
    }
    return document
  }
  const has = (file: string) => archive.names.includes(nameOf(file))
  return {
    /** Follows the chain of roots in the archive from a trust root. */
    async newestRoot(trusted: Root): Promise<Root> {
      let root = trusted
      for (let step = 0; step < ROOTS_MAX; step++) {
        const file = `${root.signed.version + 1}.root.json`
        if (!has(file)) break
        const next = await read('root', file)
        if (next.signed.version !== root.signed.version + 1) {
          throw new TufProblem(`${file} has version ${next.signed.version}`)
        }
        await checkSigned(root, 'root', next, file)
        await checkSigned(next, 'root', next, file)
        root = next
      }
      checkCurrent(root, now, 'the root role')
      return root
    },
    async signedBy<R extends RoleName>(
      root: Root,
      role: R,
      said?: { file: string; meta: Record<string, MetaFile>; by: string },
    ): Promise<Metadata<R>> {
      const plain = `${role}.json`
      const its = said && Object.hasOwn(said.meta, plain) ? said.meta[plain] : undefined
      if (said && !its) throw new TufProblem(`${said.by} does not mention ${plain}`)
      const file = its && root.signed.consistent_snapshot ? `${its.version}.${plain}` : plain
      const document = await read(role, file, its)
      await checkSigned(root, role, document, file)
      checkCurrent(document, now, file)
      return document
    },
  }
}

type Reading = ReturnType<typeof createMetadataReader>

/** Signed targets, verified from one trust root. */
async function targetsBy(reading: Reading, trusted: Root): Promise<[Root, Metadata<'targets'>]> {
  const root = await reading.newestRoot(trusted)
  const timestamp = await reading.signedBy(root, 'timestamp')
  const snapshot = await reading.signedBy(root, 'snapshot', {
    file: 'snapshot',
    meta: timestamp.signed.meta,
    by: 'timestamp.json',
  })
  const targets = await reading.signedBy(root, 'targets', {
    file: 'targets',
    meta: snapshot.signed.meta,
    by: 'snapshot.json',
  })
  return [root, targets]
}

/** @throws TufProblem of the last trust root, if none of them verifies the targets */
async function trustedTargets(
  reading: Reading,
  trustRoots: readonly unknown[],
): Promise<[Root, Metadata<'targets'>]> {
  let problem = new TufProblem('there is no trust root; add the one that signs the repository')
  for (const json of trustRoots) {
    try {
      return await targetsBy(reading, parseMetadata('root', json, 'the trust root'))
    } catch (error) {
      if (!(error instanceof TufProblem)) throw error
      problem = error
    }
  }
  throw problem
}

/**
 * Verifies a repository from its signatures to the last byte of its artifacts, in constant memory.
 * @throws TufProblem
 */
export async function readRepository(source: Source, checks: Checks): Promise<Repository> {
  const archive = await openArchive(source)
  try {
    return await check(archive, checks)
  } finally {
    await archive.close()
  }
}

async function check(archive: Archive, { trustRoots, now, digest }: Checks): Promise<Repository> {
  const folder = folderOf(archive)
  const reading = createMetadataReader(archive, folder, now)
  const [root, { signed }] = await trustedTargets(reading, trustRoots)

  const described = (target: string) => {
    const its = Object.hasOwn(signed.targets, target) ? signed.targets[target] : undefined
    if (!its) throw new TufProblem(`the signed targets do not include ${target}`)
    return { sha256: its.hashes.sha256, length: its.length }
  }
  const entryOf = (target: string) => {
    const { sha256: hash } = described(target)
    const slash = target.lastIndexOf('/') + 1
    const file = root.signed.consistent_snapshot
      ? `${target.slice(0, slash)}${hash}.${target.slice(slash)}`
      : target
    return `${folder}targets/${file}`
  }
  const verify = async (target: string, take?: (piece: Uint8Array) => void) => {
    const { sha256: wanted, length } = described(target)
    const sum = digest()
    let read = 0
    await archive.read(entryOf(target), length, (piece) => {
      sum.update(piece)
      read += piece.length
      take?.(piece)
    })
    if (read !== length || sum.digest() !== wanted) {
      throw new TufProblem(`${target} is not the one that was signed: its hash differs`)
    }
  }

  if (described(ARTIFACTS_DOCUMENT).length > METADATA_MAX) {
    throw new TufProblem(`${ARTIFACTS_DOCUMENT} has more than ${METADATA_MAX} bytes`)
  }
  const pieces: Bytes[] = []
  await verify(ARTIFACTS_DOCUMENT, (piece) => void pieces.push(new Uint8Array(piece)))
  const json = parseJson(concatUint8Arrays(pieces), ARTIFACTS_DOCUMENT)
  const parsed = ArtifactsDocument.safeParse(json)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new TufProblem(`${ARTIFACTS_DOCUMENT} is not as expected: ${path.join('.')}: ${message}`)
  }
  const { system_version, artifacts } = parsed.data
  for (const target of new Set(artifacts.map(({ target }) => target))) await verify(target)
  return {
    systemVersion: system_version,
    artifacts: artifacts.map(({ name, version, kind, target }) => ({
      name,
      version,
      kind,
      ...described(target),
    })),
  }
}
