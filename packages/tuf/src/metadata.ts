/**
 * Metadata of The Update Framework (TUF 1.0): signers of each role, and expiry.
 *
 * @tufjs/models runs only in Node, and counts a key listed under two ids twice. Tests have it check
 * repositories that are made here.
 */
import { canonicalize } from '@tufjs/canonical-json'
import * as z from 'zod'
import { type Bytes, encodeText } from './bytes.ts'
import { hasSigned } from './keys.ts'
import { TufProblem } from './problem.ts'

const count = z.int().min(0)
const version = z.int().min(1)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const hashes = z.looseObject({ sha256: sha256.optional() })

const signed = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.looseObject({
    _type: z.literal(type),
    spec_version: z.string().regex(/^1\.\d+(\.\d+)?$/, 'is not a version 1 of TUF'),
    version,
    expires: z.iso.datetime({ offset: true }),
    ...fields,
  })

const Role = z.looseObject({ keyids: z.array(z.string()).max(100), threshold: version })
const Root = signed('root', {
  keys: z.record(
    z.string(),
    z.looseObject({
      keytype: z.string(),
      scheme: z.string(),
      keyval: z.looseObject({ public: z.string() }),
    }),
  ),
  roles: z.looseObject({ root: Role, timestamp: Role, snapshot: Role, targets: Role }),
  consistent_snapshot: z.boolean(),
})
const MetaFile = z.looseObject({ version, length: count.optional(), hashes: hashes.optional() })
const meta = z.record(z.string(), MetaFile)
const Timestamp = signed('timestamp', { meta })
const Snapshot = signed('snapshot', { meta })
const Targets = signed('targets', {
  targets: z.record(
    z.string(),
    z.looseObject({ length: count, hashes: z.looseObject({ sha256 }) }),
  ),
})

const types = { root: Root, timestamp: Timestamp, snapshot: Snapshot, targets: Targets }
export type RoleName = keyof typeof types
type SignedBy<R extends RoleName> = z.infer<(typeof types)[R]>
export type MetaFile = z.infer<typeof MetaFile>

/** A document of metadata with its signatures. */
export interface Metadata<R extends RoleName = RoleName> {
  signed: SignedBy<R>
  signatures: { keyid: string; sig: string }[]
}
export type Root = Metadata<'root'>

/** Maximum number of signatures of a document that are checked. */
const SIGNATURES_MAX = 100

/**
 * Parses the document of a role, without verifying its signatures.
 * @param what name of the document in problems
 * @throws TufProblem
 */
export function parseMetadata<R extends RoleName>(
  role: R,
  json: unknown,
  what: string,
): Metadata<R> {
  const document = z.looseObject({
    signed: types[role],
    signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.string() })).max(SIGNATURES_MAX),
  })
  const parsed = document.safeParse(json)
  if (parsed.success) return parsed.data as unknown as Metadata<R>
  const { path, message } = parsed.error.issues[0]!
  const place = path.length > 0 ? `${path.join('.')}: ` : ''
  throw new TufProblem(`${what} is not TUF metadata of the role ${role}: ${place}${message}`)
}

/** Signed text of a document. */
function textOf(signed: unknown, what: string): Bytes {
  try {
    return encodeText(canonicalize(signed))
  } catch (error) {
    // Canonical JSON permits no fractions, and the document may be nested too deeply.
    throw new TufProblem(`${what} has no canonical form`, { cause: error })
  }
}

/**
 * Checks that a document is signed by as many keys of a role as its threshold requires. A key
 * counts once, whatever the number of its ids.
 * @throws TufProblem
 */
export async function checkSigned(
  { signed: { keys, roles } }: Root,
  role: RoleName,
  { signed, signatures }: Metadata,
  what: string,
): Promise<void> {
  const { keyids, threshold } = roles[role]
  const text = textOf(signed, what)
  const signers = new Set<string>()
  for (const { keyid, sig } of signatures) {
    const key = keyids.includes(keyid) && Object.hasOwn(keys, keyid) ? keys[keyid] : undefined
    if (key && (await hasSigned(key, text, sig))) signers.add(key.keyval.public)
  }
  if (signers.size >= threshold) return
  throw new TufProblem(
    `${what} is signed by ${signers.size} of the ${threshold} keys that it needs`,
  )
}

/** @throws TufProblem */
export function checkCurrent({ signed: { expires } }: Metadata, now: Date, what: string): void {
  if (Date.parse(expires) <= now.getTime()) throw new TufProblem(`${what} expired at ${expires}`)
}

/**
 * Checks a trust root: a root document that signs itself and has not expired.
 * @returns the canonical form of the whole document
 * @throws TufProblem
 */
export async function checkTrustRoot(json: unknown, now: Date): Promise<Bytes> {
  const what = 'the root role'
  const root = parseMetadata('root', json, what)
  const text = textOf(json, what)
  await checkSigned(root, 'root', root, what)
  checkCurrent(root, now, what)
  return text
}
