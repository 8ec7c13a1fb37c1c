import { createHash } from 'node:crypto'
import { Metadata, MetadataKind } from '@tufjs/models'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  encodeText,
  makeRepository,
  makeTrustRoot,
  newKeys,
  readRepository,
  checkTrustRoot,
  repositoryFiles,
  signDocument,
  type Signer,
  signerOf,
  TufProblem,
  zipOf,
} from '../src/index.ts'

const now = new Date('2026-03-01T00:00:00Z')
const expires = new Date('2027-03-01T00:00:00Z')
const past = new Date('2026-02-01T00:00:00Z')
const artifacts = [
  { name: 'sled', version: '1.1.0', kind: 'gimlet_sp', data: encodeText('firmware') },
  { name: 'host', version: '1.1.0', kind: 'host', data: new Uint8Array(200_000) },
]
const digest = () => {
  const hash = createHash('sha256')
  return { update: (data: Uint8Array) => hash.update(data), digest: () => hash.digest('hex') }
}
const sourceOf = (data: Uint8Array) => ({
  size: data.length,
  read: async (offset: number, length: number) => data.subarray(offset, offset + length),
})

let signer: Signer
let other: Signer
let root: Awaited<ReturnType<typeof makeTrustRoot>>

beforeAll(async () => {
  signer = await signerOf(await newKeys())
  other = await signerOf(await newKeys())
  root = await makeTrustRoot(signer, { expires })
})

const options = () => ({ systemVersion: '1.1.0', artifacts, expires, roots: [root] })
const read = (archive: Uint8Array, trustRoots: unknown[] = [root]) =>
  readRepository(sourceOf(archive), { trustRoots, now, digest })

/** A repository with some files changed before it is packed. */
async function changed(change: (files: Map<string, Uint8Array>) => Promise<void> | void) {
  const files: Map<string, Uint8Array> = await repositoryFiles(signer, options())
  await change(files)
  return zipOf(files)
}

test('a repository lists its artifacts', async () => {
  expect(await read(await makeRepository(signer, options()))).toEqual({
    systemVersion: '1.1.0',
    artifacts: artifacts.map(({ data, ...artifact }) => ({
      ...artifact,
      length: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
    })),
  })
})

test('a generated repository is valid for other TUF implementations', async () => {
  const files = await repositoryFiles(signer, options())
  const json = (file: string) => JSON.parse(new TextDecoder().decode(files.get(`metadata/${file}`)))
  const trusted = Metadata.fromJSON(MetadataKind.Root, json('1.root.json'))
  const signed = {
    root: trusted,
    timestamp: Metadata.fromJSON(MetadataKind.Timestamp, json('timestamp.json')),
    snapshot: Metadata.fromJSON(MetadataKind.Snapshot, json('1.snapshot.json')),
    targets: Metadata.fromJSON(MetadataKind.Targets, json('1.targets.json')),
  }
  for (const [role, metadata] of Object.entries(signed)) {
    expect(() => trusted.verifyDelegate(role, metadata)).not.toThrow()
  }
})

test('a root may be succeeded by one with other keys, signed by the old ones', async () => {
  const second = await makeTrustRoot(other, { expires, version: 2, also: [signer] })
  const archive = await makeRepository(other, { ...options(), roots: [second] })
  expect((await read(archive)).systemVersion).toBe('1.1.0')
  const unsigned = await makeTrustRoot(other, { expires, version: 2 })
  await expect(
    read(await makeRepository(other, { ...options(), roots: [unsigned] })),
  ).rejects.toThrow('2.root.json is signed by 0 of the 1 keys that it needs')
})

describe('a bad repository is refused with its reason', () => {
  test('without a trust root', async () => {
    const archive = await makeRepository(signer, options())
    await expect(read(archive, [])).rejects.toThrow('there is no trust root')
  })
  test('signed by other keys', async () => {
    const archive = await makeRepository(other, options())
    await expect(read(archive)).rejects.toThrow('timestamp.json is signed by 0 of the 1 keys')
  })
  test('expired', async () => {
    const archive = await makeRepository(signer, { ...options(), expires: past })
    await expect(read(archive)).rejects.toThrow('timestamp.json expired at 2026-02-01T00:00:00Z')
  })
  test('not an archive, truncated, empty', async () => {
    const archive = await makeRepository(signer, options())
    for (const bytes of [
      encodeText('no archive'),
      new Uint8Array(),
      archive.subarray(0, archive.length - 100),
      archive.subarray(1_000),
    ]) {
      await expect(read(bytes)).rejects.toThrow('the file is not a zip archive, or it is cut off')
    }
  })
  test('damaged in the middle', async () => {
    const archive = await makeRepository(signer, options())
    const whole = await read(archive)
    for (let at = 60; at < archive.length - 600; at += 997) {
      const broken = archive.slice()
      broken[at]! ^= 0xff
      // Unimportant data may be broken, such as a date; but no other error is possible.
      const outcome = await read(broken).catch((error: unknown) => error)
      if (outcome instanceof TufProblem) continue
      expect(outcome).toEqual(whole)
    }
  })
  test('not a repository', async () => {
    await expect(read(await zipOf(new Map([['a', encodeText('b')]])))).rejects.toThrow(
      'the archive is not a TUF repository',
    )
  })
  test('a target that differs from the signed one', async () => {
    const archive = await changed((files) => {
      const name = [...files.keys()].find((file) => file.includes('gimlet_sp'))!
      files.set(name, encodeText('Firmware'))
    })
    await expect(read(archive)).rejects.toThrow('gimlet_sp-sled-1.1.0.bin is not the one')
  })
  test('a missing target', async () => {
    const archive = await changed((files) => {
      files.delete([...files.keys()].find((file) => file.includes('gimlet_sp'))!)
    })
    await expect(read(archive)).rejects.toThrow(/the archive has no targets\/.*gimlet_sp/)
  })
  test('a target larger than signed @long', async () => {
    const archive = await changed((files) => {
      const name = [...files.keys()].find((file) => file.includes('gimlet_sp'))!
      files.set(name, new Uint8Array(50_000_000))
    })
    expect(archive.length).toBeLessThan(200_000)
    await expect(read(archive)).rejects.toThrow('has more than 8 bytes')
  })
  test('a path that leads out of the archive', async () => {
    const archive = await changed((files) => {
      files.set('../etc/passwd', encodeText('x'))
    })
    await expect(read(archive)).rejects.toThrow('the path of an entry leads out of')
  })
  test('metadata of another version than signed', async () => {
    const archive = await changed(async (files) => {
      const timestamp = JSON.parse(new TextDecoder().decode(files.get('metadata/timestamp.json')))
      delete timestamp.signed.meta['snapshot.json'].hashes
      timestamp.signed.meta['snapshot.json'].version = 2
      files.set('metadata/2.snapshot.json', files.get('metadata/1.snapshot.json')!)
      const signed = await signDocument([signer], timestamp.signed)
      files.set('metadata/timestamp.json', encodeText(JSON.stringify(signed)))
    })
    await expect(read(archive)).rejects.toThrow('has version 1, and version 2 was signed')
  })
})

test('a trust root signs itself, before it expires, with keys that count once', async () => {
  await checkTrustRoot(root, now)
  await expect(checkTrustRoot(await makeTrustRoot(signer, { expires: past }), now)).rejects.toThrow(
    'the root role expired',
  )
  const [signature] = root.signatures
  const stranger = { ...root, signatures: [{ ...signature!, sig: '00'.repeat(64) }] }
  await expect(checkTrustRoot(stranger, now)).rejects.toThrow('signed by 0 of the 1 keys')
  for (const json of [
    null,
    7,
    [],
    {},
    { signed: {}, signatures: [] },
    { ...root, signatures: 1 },
  ]) {
    await expect(checkTrustRoot(json, now)).rejects.toThrow('is not TUF metadata of the role root')
  }

  const key = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: signer.public } }
  const roles = root.signed.roles as { root: object }
  const twice = await signDocument([signer, { ...signer, id: 'again' }], {
    ...root.signed,
    keys: { [signer.id]: key, again: key },
    roles: { ...roles, root: { keyids: [signer.id, 'again'], threshold: 2 } },
  })
  await expect(checkTrustRoot(twice, now)).rejects.toThrow('signed by 1 of the 2 keys')
  const beside = { ...root, beside: 1.5 }
  await expect(checkTrustRoot(beside, now)).rejects.toThrow('has no canonical form')
  const fraction = { ...root, signed: { ...root.signed, extra: 1.5 } }
  await expect(checkTrustRoot(fraction, now)).rejects.toThrow('has no canonical form')
})

test('keys of the other schemes are accepted as well', async () => {
  const pem = (bytes: ArrayBuffer) =>
    `-----BEGIN PUBLIC KEY-----\n${Buffer.from(bytes).toString('base64')}\n-----END PUBLIC KEY-----\n`
  const derOf = (raw: Buffer) => {
    const number = (part: Buffer) => {
      const plain = part.subarray(part.findIndex((byte) => byte !== 0))
      const body = plain[0]! > 0x7f ? Buffer.concat([Buffer.from([0]), plain]) : plain
      return Buffer.concat([Buffer.from([2, body.length]), body])
    }
    const body = Buffer.concat([number(raw.subarray(0, 32)), number(raw.subarray(32))])
    return Buffer.concat([Buffer.from([0x30, body.length]), body])
  }
  const ec = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const rsa = {
    name: 'RSA-PSS',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    saltLength: 32,
  }
  for (const [keytype, scheme, algorithm, form] of [
    ['ecdsa', 'ecdsa-sha2-nistp256', ec, derOf],
    ['rsa', 'rsassa-pss-sha256', rsa, (raw: Buffer) => raw],
  ] as const) {
    const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const key = pem(await crypto.subtle.exportKey('spki', pair.publicKey))
    const its: Signer = {
      id: scheme,
      public: key,
      sign: async (text) =>
        form(Buffer.from(await crypto.subtle.sign(algorithm, pair.privateKey, text))).toString(
          'hex',
        ),
    }
    const role = { keyids: [scheme], threshold: 1 }
    const document = await signDocument([its], {
      ...root.signed,
      keys: { [scheme]: { keytype, scheme, keyval: { public: key } } },
      roles: { root: role, timestamp: role, snapshot: role, targets: role },
    })
    await expect(checkTrustRoot(document, now)).resolves.toBeDefined()
  }
})
