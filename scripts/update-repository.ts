/**
 * Creates a small release repository for trying out updates: `npm run update-repository -- 1.1.0`.
 * The first call creates the keys, and stores them beside it with the trust root, so that later
 * releases are trusted as well.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  requiredArtifacts,
  systemVersionProblem,
} from '../packages/api/src/maintenance/updates/rules.ts'
import {
  makeRepository,
  makeTrustRoot,
  newKeys,
  sampleArtifacts,
  signerOf,
} from '../packages/tuf/src/index.ts'

const [version, directory = 'releases'] = process.argv.slice(2)
if (version === undefined || systemVersionProblem(version)) {
  console.error('Usage: npm run update-repository -- <version, like 1.1.0> [directory]')
  process.exit(2)
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const expires = new Date(Date.now() + YEAR_MS)
mkdirSync(directory, { recursive: true })
const keysFile = join(directory, 'keys.json')
const rootFile = join(directory, 'trust-root.json')

/** Stores new keys, readable by their owner only, and the corresponding trust root. */
async function makeKeys(): Promise<void> {
  const keys = await newKeys()
  const [publicKey, privateKey] = await Promise.all(
    [keys.publicKey, keys.privateKey].map((key) => crypto.subtle.exportKey('jwk', key)),
  )
  const root = await makeTrustRoot(await signerOf(keys), { expires })
  writeFileSync(rootFile, `${JSON.stringify(root, undefined, 2)}\n`)
  writeFileSync(keysFile, JSON.stringify({ publicKey, privateKey }), { mode: 0o600 })
}

async function readKeys(): Promise<CryptoKeyPair> {
  const stored = JSON.parse(readFileSync(keysFile, 'utf8'))
  const read = (key: JsonWebKey, use: 'sign' | 'verify') =>
    crypto.subtle.importKey('jwk', key, 'Ed25519', true, [use])
  return {
    publicKey: await read(stored.publicKey, 'verify'),
    privateKey: await read(stored.privateKey, 'sign'),
  }
}

if (!existsSync(keysFile)) await makeKeys()
const archive = await makeRepository(await signerOf(await readKeys()), {
  systemVersion: version,
  artifacts: sampleArtifacts(version, requiredArtifacts),
  expires,
  roots: [JSON.parse(readFileSync(rootFile, 'utf8'))],
})
const file = join(directory, `release-${version}.zip`)
writeFileSync(file, archive)
console.log(`Wrote ${file}. It is trusted by ${rootFile}.`)
