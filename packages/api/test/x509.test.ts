/** Certificates and their keys: host coverage, parsing, and refusals. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { coversHost, siloHost } from '../src/identity/certificates/rules.ts'
import {
  beginsWithIssuer,
  chainBreak,
  checkCertificate,
  missingIssuer,
  readChain,
  readLeaf,
  readPem,
  unusualKey,
  writePem,
} from '../src/identity/certificates/x509.ts'
import { type KeyType, makeCertificate } from './support/certificates.ts'
import { long } from '../../control-plane/test/support/long.ts'

const HOST = 'main.sys.cloud.example'
const now = () => new Date()

describe('names', () => {
  test.each([
    // An exact name, in any spelling.
    [HOST, HOST, true],
    ['MAIN.sys.Cloud.example', HOST, true],
    [`${HOST}.`, HOST, true],
    [HOST, `${HOST}.`, true],
    [`${HOST}..`, HOST, false],
    ['sys.cloud.example', HOST, false],
    ['x.main.sys.cloud.example', HOST, false],
    ['', HOST, false],
    ['', '', false],
    ['.', '.', false],
    // An asterisk matches exactly one complete label.
    ['*.sys.cloud.example', HOST, true],
    ['*.SYS.cloud.example.', HOST, true],
    ['*.cloud.example', HOST, false],
    ['*.main.sys.cloud.example', HOST, false],
    ['*.sys.cloud.example', 'sys.cloud.example', false],
    ['*.sys.cloud.example', '.sys.cloud.example', false],
    ['m*.sys.cloud.example', HOST, false],
    ['main.*.cloud.example', HOST, false],
    ['*.*.cloud.example', HOST, false],
    // A lone asterisk covers nothing.
    ['*', HOST, false],
    ['*', 'localhost', false],
    ['*', '*', false],
    ['*.', HOST, false],
    ['*.', 'localhost', false],
    ['*.', '*.', false],
  ])('%s covers %s: %s', (name, host, covers) => {
    expect(coversHost(name, host)).toBe(covers)
  })

  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
  const labels = fc.array(label, { minLength: 1, maxLength: 5 })

  test('an asterisk in the first position covers any one label', () => {
    fc.assert(
      fc.property(labels, label, label, (zone, first, second) => {
        const name = ['*', ...zone].join('.')
        expect(coversHost(name, [first, ...zone].join('.'))).toBe(true)
        expect(coversHost(name, zone.join('.'))).toBe(
          zone.length > 1 && name === ['*', ...zone.slice(1)].join('.'),
        )
        expect(coversHost(name, [first, second, ...zone].join('.'))).toBe(false)
      }),
    )
  })

  test('a name covers itself, and no other name', () => {
    fc.assert(
      fc.property(labels, labels, (name, host) => {
        expect(coversHost(name.join('.'), host.join('.'))).toBe(name.join('.') === host.join('.'))
      }),
    )
  })
})

describe('a certificate', () => {
  test('has its alternative names, and its common name only if there are none', async () => {
    const both = await makeCertificate({ names: ['a.example', '*.b.example'], commonName: 'c' })
    expect(readLeaf(both.own)!.names).toEqual(['a.example', '*.b.example'])
    const { own } = await makeCertificate({ commonName: 'c.example' })
    expect(readLeaf(own)!.names).toEqual(['c.example'])
  })

  test('is the first block of its file, whatever surrounds it', async () => {
    const { own } = await makeCertificate({ names: [HOST] })
    const other = await makeCertificate({ names: ['other.example'] })
    for (const text of [
      `\uFEFF${own}`,
      `\n\n  ${own.replaceAll('\n', '\n   ')}`,
      own.replaceAll('\n', '\r\n'),
      `subject=/CN=main\n${own}${other.own}`,
      other.key + own,
    ]) {
      expect(readLeaf(text)?.names).toEqual([HOST])
    }
  })

  test.each(['', 'garbage', '-----BEGIN CERTIFICATE-----\nAAAA', '\0'])('is not %j', (text) => {
    expect(readLeaf(text)).toBeUndefined()
  })

  test('is not in the base64 of URLs', () => {
    const block = (base64: string) => `-----BEGIN A-----\n${base64}\n-----END A-----\n`
    expect(readPem(block('+/+/'))).toEqual([{ label: 'A', bytes: Uint8Array.of(0xfb, 0xff, 0xbf) }])
    expect(readPem(block('-_-_'))).toBeUndefined()
  })
})

const check = (cert: string, key: string, hosts = [HOST]) =>
  checkCertificate({ cert, key }, hosts, now())
const refused = (text: string) => ({ of: 'certificate', text })

/** A certificate with the common name of its issuer as a time, which it is not. */
function withNameAsTime(pem: string): string {
  const [block] = readPem(pem)!
  const commonName = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x03])
  const bytes = Buffer.from(block!.bytes)
  const at = bytes.indexOf(commonName) + commonName.length
  expect(bytes[at]).toBe(0x0c)
  bytes[at] = 0x17
  return writePem({ label: block!.label, bytes: Uint8Array.from(bytes) })
}

describe('a certificate with its key and chain', () => {
  test.each(['P-256', 'P-384', 'P-521', 'RSA-2048', 'Ed25519'] as KeyType[])(
    'of %s is accepted',
    async (keyType) => {
      const issuer = await makeCertificate({ commonName: 'root', ca: true, keyType })
      const middle = await makeCertificate({ commonName: 'middle', ca: true, keyType, issuer })
      const { cert, key } = await makeCertificate({ names: [HOST], keyType, issuer: middle })
      for (const chain of [cert, cert + issuer.own]) {
        expect(await check(chain, key)).toMatchObject({ names: [HOST] })
      }
    },
  )

  test('is refused if it is empty or unreadable', async () => {
    const { own, key } = await makeCertificate({ names: [HOST] })
    for (const nothing of ['', ' \n', key, 'no certificate at all']) {
      expect(await check(nothing, key)).toEqual(refused('Certificate exists, but is empty'))
    }
    const lines = own.split('\n')
    for (const broken of [
      lines.slice(0, -3).join('\n'),
      own.replace(lines[2]!, '!'.repeat(64)),
      own.replace(lines[2]!, lines[3]!),
      own + own.slice(0, 60),
      '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----',
      withNameAsTime(own),
    ]) {
      expect(await check(broken, key)).toEqual(refused('Failed to parse certificate'))
    }
  })

  test('is refused once it or an intermediate one has expired', async () => {
    const expired = refused('Certificate exists, but is expired')
    const old = await makeCertificate({ names: [HOST], days: -1 })
    expect(await check(old.cert, old.key)).toEqual(expired)
    const issuer = await makeCertificate({ commonName: 'root', ca: true, days: -1 })
    const middle = await makeCertificate({ commonName: 'middle', ca: true, issuer, days: -1 })
    const leaf = await makeCertificate({ names: [HOST], issuer: middle })
    expect(await check(leaf.cert, leaf.key)).toEqual(expired)
    // An expired root does no harm.
    const direct = await makeCertificate({ names: [HOST], issuer })
    expect(await check(direct.own + issuer.own, direct.key)).toMatchObject({ names: [HOST] })
  })

  test('may become valid later', async () => {
    const { cert, key } = await makeCertificate({ names: [HOST] })
    const before = new Date(Date.now() - 10 * 365 * 86_400_000)
    expect(await checkCertificate({ cert, key }, [HOST], before)).toMatchObject({ names: [HOST] })
  })

  test('is refused with the key of another certificate', async () => {
    const { cert } = await makeCertificate({ names: [HOST] })
    const others = [
      await makeCertificate({ ca: true, commonName: 'other' }),
      await makeCertificate({ keyType: 'P-384' }),
      await makeCertificate({ keyType: 'RSA-2048' }),
    ]
    for (const { key } of others) {
      expect(await check(cert, key)).toEqual(refused('Certificate and private key do not match'))
    }
  })

  test('is refused with the advice to put it first if it stands behind its issuer', async () => {
    const root = await makeCertificate({ commonName: 'Root', ca: true })
    const between = await makeCertificate({ commonName: 'Between', ca: true, issuer: root })
    const { own, key } = await makeCertificate({ names: [HOST], issuer: between })
    const advice = 'The chain begins with an issuer: put the certificate of the server first'
    for (const cert of [between.own + own, root.own + between.own + own]) {
      expect(await check(cert, key)).toEqual(refused(advice))
    }
  })

  test('is refused if its key is unreadable', async () => {
    const { cert, key } = await makeCertificate({ names: [HOST] })
    const encrypted = key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE')
    expect(await check(cert, encrypted)).toEqual({
      of: 'private-key',
      text: 'Failed to parse private key: it is encrypted',
    })
    const [, first] = key.split('\n')
    for (const broken of ['', cert, key.slice(0, 80), key.replace(first!, first!.slice(4))]) {
      expect(await check(cert, broken)).toEqual({
        of: 'private-key',
        text: 'Failed to parse private key',
      })
    }
  })

  test('is refused for another purpose', async () => {
    const other = refused('Unsupported certificate purpose (not usable for server auth)')
    for (const wanted of [
      { usages: ['1.3.6.1.5.5.7.3.2'] },
      // The bit of keyCertSign.
      { keyUsage: 32 },
    ]) {
      const { cert, key } = await makeCertificate({ names: [HOST], ...wanted })
      expect(await check(cert, key)).toEqual(other)
    }
    for (const wanted of [
      { usages: [] },
      { usages: ['2.5.29.37.0'] },
      { usages: ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'], keyUsage: 1 },
    ]) {
      const { cert, key } = await makeCertificate({ names: [HOST], ...wanted })
      expect(await check(cert, key)).toMatchObject({ names: [HOST] })
    }
  })

  test('is refused for other hosts, and must cover one of several', async () => {
    const { cert, key } = await makeCertificate({ names: ['other.example', '*.sys.b.example'] })
    expect(await check(cert, key)).toEqual(
      refused(
        `Certificate not valid for given hostnames ["${HOST}"]: its names are other.example, *.sys.b.example`,
      ),
    )
    const zones = ['a.example', 'b.example'].map((zone) => siloHost('main', zone))
    expect(await check(cert, key, zones)).toMatchObject({
      names: ['other.example', '*.sys.b.example'],
    })
    expect(await check(cert, key, [])).toMatchObject({
      names: ['other.example', '*.sys.b.example'],
    })
  })

  test('may have a chain in any order, with unrelated certificates', async () => {
    const root = await makeCertificate({ commonName: 'root', ca: true })
    const middle = await makeCertificate({ commonName: 'middle', ca: true, issuer: root })
    const stranger = await makeCertificate({ commonName: 'stranger', ca: true })
    const leaf = await makeCertificate({ names: [HOST], issuer: middle })
    // The same name with another key: an authority that has replaced its key.
    const renewed = await makeCertificate({ commonName: 'root', ca: true, keyType: 'RSA-2048' })
    for (const [chain, first] of [
      [[leaf, middle, root], undefined],
      [[leaf, root, middle], 2],
      [[leaf, middle, stranger], 3],
      [[leaf, stranger], 2],
      [[leaf, middle, renewed, root], undefined],
    ] as const) {
      const text = chain.map(({ own }) => own).join('')
      expect(await check(text, leaf.key)).toMatchObject({ names: [HOST] })
      expect(chainBreak(readChain(text)!)).toBe(first)
    }
  })

  test('is refused with a chain of broken signatures', async () => {
    const issuer = await makeCertificate({ commonName: 'root', ca: true })
    const other = { commonName: 'root', ca: true, keyType: 'RSA-2048' } as const
    const [rsa, p384] = [
      await makeCertificate(other),
      await makeCertificate({ ...other, keyType: 'P-384' }),
    ]
    const leaf = await makeCertificate({ names: [HOST], issuer })
    for (const wrong of [rsa, p384]) {
      expect(await check(leaf.own + wrong.own, leaf.key)).toEqual(
        refused('Failed to parse certificate: number 2 of the chain has not signed number 1'),
      )
    }
    expect(await check(leaf.own + issuer.own.repeat(16), leaf.key)).toEqual(
      refused('Failed to parse certificate: more than 16 in the chain'),
    )
  })

  test('is refused with a key that clients do not accept', async () => {
    const { cert, key } = await makeCertificate({ names: [HOST], keyType: 'RSA-1024' })
    expect(await check(cert, key)).toEqual(
      refused('Certificate has a key that is too weak: RSA needs 2048 bits or more'),
    )
  })
})

describe('remarks about a chain', () => {
  const chainOf = (...parts: { own: string }[]) => readChain(parts.map(({ own }) => own).join(''))!

  test('name an issuer in front, and one that is missing', async () => {
    const root = await makeCertificate({ commonName: 'Root', ca: true })
    const between = await makeCertificate({ commonName: 'Between', ca: true, issuer: root })
    const host = await makeCertificate({ names: [HOST], issuer: between })
    const remarks = (...parts: { own: string }[]) => {
      const chain = chainOf(...parts)
      return [beginsWithIssuer(chain), missingIssuer(chain)]
    }
    expect(remarks(host, between)).toEqual([false, undefined])
    expect(remarks(host, between, root)).toEqual([false, undefined])
    expect(remarks(host, root)).toEqual([false, 'Between'])
    expect(remarks(host)).toEqual([false, 'Between'])
    expect(remarks(between, host)).toEqual([true, undefined])
    expect(remarks(root)).toEqual([false, undefined])
    expect(remarks(await makeCertificate({ names: [HOST] }))).toEqual([false, undefined])
  })

  test.each<[KeyType, string | undefined]>([
    ['P-256', undefined],
    ['P-384', undefined],
    ['P-521', 'P-521'],
    ['Ed25519', 'Ed25519'],
    ['RSA-2048', undefined],
  ])('about a key of type %s name it if browsers refuse it', async (keyType, name) => {
    const { own } = await makeCertificate({ names: [HOST], keyType })
    expect(unusualKey(readLeaf(own)!)).toBe(name)
  })
})

test('any malformed file gets an answer', async () => {
  const good = await makeCertificate({ names: [HOST] })
  const parts = { cert: good.cert, key: good.key }
  const broken = (which: keyof typeof parts) => {
    const [{ label, bytes }] = readPem(parts[which]) as [{ label: string; bytes: Uint8Array }]
    return fc
      .array(fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((changes) => {
        const changed = Buffer.from(bytes)
        for (const { at, byte } of changes) changed[at] = byte
        return `-----BEGIN ${label}-----\n${changed.toString('base64')}\n-----END ${label}-----\n`
      })
  }
  const isAnswer = (answer: object) => 'of' in answer || 'names' in answer
  await fc.assert(
    fc.asyncProperty(broken('cert'), async (cert) => isAnswer(await check(cert, good.key))),
    { numRuns: long ? 300 : 50 },
  )
  await fc.assert(
    fc.asyncProperty(broken('key'), async (key) => isAnswer(await check(good.cert, key))),
    { numRuns: long ? 150 : 30 },
  )
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const der = `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE-----`
      return isAnswer(await check(der, good.key))
    }),
    { numRuns: long ? 200 : 30 },
  )
  // Deeply nested, with excessive lengths, and large.
  for (const bytes of [
    Buffer.alloc(60_000, Buffer.from([0x30, 0x80])),
    Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x30]),
    Buffer.alloc(700_000, 0x30),
  ]) {
    const der = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----`
    expect(await check(der, good.key)).toEqual(refused('Failed to parse certificate'))
  }
})
