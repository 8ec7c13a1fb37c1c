/** Control plane specification 2.4: refused answers of a SAML identity provider. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Caller } from '../support/caller.ts'
import { stranger } from '../support/saml/keys.ts'
import {
  answer,
  assertionXml,
  ENTITY_ID,
  responseXml,
  type Said,
  signed,
  SP_ENTITY_ID,
} from '../support/saml/provider.ts'
import {
  acs,
  cookieOf,
  extract,
  form,
  groupsOf,
  post,
  redirect,
  refusalOf,
  server,
  signInWith,
  useSilo,
} from '../support/saml/silo.ts'

useSilo()

describe('refuses', () => {
  test('a form without an answer, or with invalid base64, UTF-8 or XML', async () => {
    const messageOf = async (body: BodyInit) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      return ((await response.json()) as { message: string }).message
    }
    expect(await messageOf('')).toBe(
      'error reading url encoded POST body! missing field `SAMLResponse`',
    )
    expect(await messageOf(new Uint8Array([0xff]))).toBe(
      'error reading url encoded POST body! it is not UTF-8',
    )
    expect(await messageOf('SAMLResponse=a&SAMLResponse=b')).toMatch(/duplicate field/)
    expect(await messageOf('SAMLResponse=%21')).toMatch(/^error base64 decoding SAMLResponse! /)
    expect(await messageOf('SAMLResponse=%2F%2F8%3D')).toMatch(
      /^decoded SAMLResponse not utf8 string! /,
    )
    for (const xml of ['', 'x', '<a>', '<a/><b/>', '<a/>', '<a xmlns:x="y" xmlns:x="z"/>']) {
      expect(await refusalOf(xml)).toMatch(/^could not parse SAMLResponse string! /)
    }
  })

  test('an issuer that is missing, blank or different, however similar', async () => {
    const xml = answer({ acs })
    const issuer = /<saml:Issuer xmlns:saml[^>]+>[^<]*<\/saml:Issuer>/
    expect(await refusalOf(xml.replace(issuer, ''))).toBe('SAMLResponse has no issuer!')
    expect(await refusalOf(answer({ acs, issuer: ' ' }))).toBe('SAMLResponse has a blank issuer!')
    for (const other of [
      'https://evil.example',
      `${ENTITY_ID} `,
      `\n${ENTITY_ID}`,
      `${ENTITY_ID}/`,
      ENTITY_ID.replace('e', 'е'),
      ENTITY_ID.replace('.', '\u200b.'),
      ENTITY_ID.toUpperCase(),
    ]) {
      expect(await refusalOf(answer({ acs, issuer: other }))).toBe(
        `SAMLResponse issuer ${other} does not match configured idp entity id ${ENTITY_ID}`,
      )
      expect(await refusalOf(answer({ acs, assertionIssuer: other }))).toBe(
        extract('it has another issuer'),
      )
    }
  })

  test.each<[string, Partial<Said>, string]>([
    ['audience', { audience: 'https://other.example' }, 'it is meant for another audience'],
    [
      'destination',
      { destination: 'https://other.example' },
      'the response is meant for another destination',
    ],
    ['recipient', { recipient: 'https://other.example' }, 'it is meant for another recipient'],
    ['time, too early', { notBefore: 1.1 }, 'it is not valid yet'],
    ['time, too late', { notOnOrAfter: -1.1, confirmedUntil: 5 }, 'it has expired'],
    ['time of its confirmation', { confirmedUntil: -1.1, notOnOrAfter: 5 }, 'it has expired'],
    ['version', { version: '1.1' }, 'the response is not of SAML 2.0'],
    [
      'status',
      { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' },
      'the identity provider reports Responder',
    ],
    [
      'method',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' },
      'its bearer is not confirmed',
    ],
    ['conditions, none', { conditions: '' }, 'it has no conditions'],
    [
      'conditions without an audience',
      { conditions: '<saml:Conditions/>' },
      'it is meant for another audience',
    ],
    [
      'conditions that are not known',
      {
        conditions: `<saml:Conditions><saml:AudienceRestriction><saml:Audience>${SP_ENTITY_ID}</saml:Audience></saml:AudienceRestriction><saml:Condition/></saml:Conditions>`,
      },
      'it has conditions that are not known',
    ],
    ['statement, none', { statement: '' }, 'no user has signed in'],
    [
      'statement that has ended',
      {
        statement:
          '<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="2020-01-02T00:00:00Z"/>',
      },
      'it has expired',
    ],
    ['request', { inResponseTo: '_other' }, 'it answers a request that was not made here'],
    ['group', { groups: ['x'.repeat(600)] }, 'a group has no valid name'],
    ...['\u200b', '\u202e', '\u2028', '\u00ad', '\t', '\u0085', '\ufeff', '\u200d'].map(
      (hidden): [string, Partial<Said>, string] => [
        `name with U+${hidden.charCodeAt(0).toString(16)}`,
        { nameId: `al${hidden}ice` },
        'its subject has no valid name',
      ],
    ),
    ['group, invisible', { groups: ['ad\u200bmins'] }, 'a group has no valid name'],
    ['name', { nameId: 'x'.repeat(600) }, 'its subject has no valid name'],
  ])('a wrong %s', async (_, said, reason) => {
    expect(await refusalOf(answer({ acs, ...said }))).toBe(extract(reason))
  })

  test('an assertion without a subject, or without its name', async () => {
    expect(await refusalOf(answer({ acs, subject: '' }))).toBe('no subject in assertion')
    expect(await refusalOf(answer({ acs, nameId: '' }))).toBe('no subject name id in assertion')
    expect(await refusalOf(answer({ acs, nameId: ' ' }))).toBe('no subject name id in assertion')
    const encrypted = '<saml:Subject><saml:EncryptedID/></saml:Subject>'
    expect(await refusalOf(answer({ acs, subject: encrypted }))).toBe(
      'no subject name id in assertion',
    )
    const two =
      '<saml:Subject><saml:NameID>a</saml:NameID><saml:NameID>b</saml:NameID></saml:Subject>'
    expect(await refusalOf(answer({ acs, subject: two }))).toBe('no subject name id in assertion')
  })

  test('a request of another provider, an expired one, and one answered before', async () => {
    const { id } = await redirect()
    const other = await redirect('', 'signs-requests')
    expect(await refusalOf(answer({ acs, inResponseTo: other.id }))).toBe(
      extract('it answers a request that was not made here'),
    )
    await signInWith({ inResponseTo: id })
    expect(await refusalOf(answer({ acs, inResponseTo: id }))).toBe(
      extract('it answers a request that has been answered'),
    )
    // The expiry of a request is part of its id, but only the server can make one.
    const [nonce, end, proof] = (await redirect()).id.split('-')
    const later = (Number.parseInt(end!, 36) + 1).toString(36)
    expect(await refusalOf(answer({ acs, inResponseTo: `${nonce}-${later}-${proof}` }))).toBe(
      extract('it answers a request that was not made here'),
    )
    // The unsigned response contradicts the assertion.
    const xml = answer({ acs, inResponseTo: (await redirect()).id })
    const changed = xml.replace(/(<samlp:Response[^>]+InResponseTo=")[^"]+/, '$1_other')
    expect(await refusalOf(changed)).toBe(
      extract('the response and its assertion answer different requests'),
    )
  })

  test('a repeated answer, even in another response', async () => {
    const said = { acs, id: `_${crypto.randomUUID()}` }
    const xml = answer(said)
    expect((await post(form(xml))).status).toBe(303)
    expect(await refusalOf(xml)).toBe(extract('it has been used before'))
    const other = xml.replace(/_response-[^"]+/, '_another')
    expect(await refusalOf(other)).toBe(extract('it has been used before'))
  })

  test('a repeated answer at the same time', async () => {
    const xml = answer({ acs })
    const statuses = await Promise.all([1, 2, 3].map(async () => (await post(form(xml))).status))
    expect(statuses.sort()).toEqual([303, 400, 400])
  })

  test('an answer unsigned, signed by another key, or by a forbidden algorithm', async () => {
    const said = { acs }
    expect(await refusalOf(responseXml(said, assertionXml(said)))).toBe(
      'assertion is missing signature!',
    )
    expect(await refusalOf(answer(said, { of: 'Response' }))).toBe(
      'assertion is missing signature!',
    )
    expect(await refusalOf(answer(said, { key: stranger }))).toBe(
      extract('the signature does not match'),
    )
    for (const algorithm of [
      'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
      'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
    ]) {
      expect(await refusalOf(answer(said, { algorithm }))).toBe(
        `signature algorithm ${algorithm} is not allowed`,
      )
    }
    expect(
      await refusalOf(answer(said, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' })),
    ).toBe(extract('a digest algorithm is not allowed'))
    // The kind of key matches the algorithm.
    const ecdsa = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
    const claimed = answer(said).replaceAll(/http:[^"]+rsa-sha256/g, ecdsa)
    expect(await refusalOf(claimed)).toBe(extract('the signature does not match'))
    // If the response is also signed, the provider has to have signed it.
    const forged = signed(answer(said), { of: 'Response', key: stranger })
    expect(await refusalOf(forged)).toBe(extract('the signature does not match'))
  })

  test('changes after signing', async () => {
    const xml = answer({ acs, groups: ['staff'] })
    for (const [from, to] of [
      ['>alice<', '>admin<'],
      ['>staff<', '>admins<'],
      [SP_ENTITY_ID, `${SP_ENTITY_ID}2`],
      ['Method="urn:oasis', 'Address="1.2.3.4" Method="urn:oasis'],
    ] as const) {
      const changed = xml.replace(from, to)
      expect(changed).not.toBe(xml)
      expect(await refusalOf(changed)).toBe(extract('the signature does not match'))
    }
  })

  test('comments and processing instructions, in names and elsewhere', async () => {
    const parse = 'could not parse SAMLResponse string! '
    // Signed by the provider with its comment, which another parser may ignore.
    for (const nameId of ['admin<!---->@evil.example', 'admin<?x y?>@evil.example']) {
      expect(await refusalOf(answer({ acs, nameId }))).toMatch(/are not allowed$/)
    }
    const xml = answer({ acs, nameId: 'admin@corp.example.evil.example' })
    const split = xml.replace('corp.example.', 'corp.example<!-- -->.')
    expect(await refusalOf(split)).toBe(`${parse}comments are not allowed`)
    expect(await refusalOf(`<!-- x -->${xml}`)).toBe(`${parse}comments are not allowed`)
    // A CDATA section is part of the text, and the name is the whole text.
    const cdata = xml.replace('admin@', '<![CDATA[admin@]]>')
    const response = await post(form(cdata))
    expect(response.status).toBe(303)
    const me = await new Caller(server.url, cookieOf(response)).call('current_user_view')
    expect(me.display_name).toBe('admin@corp.example.evil.example')
  })

  test('document types, external entities and entities that expand', async () => {
    const xml = answer({ acs })
    const bomb = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    ).join('')
    for (const type of [
      '<!DOCTYPE r>',
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
      '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:1/x"> %x;]>',
      `<!DOCTYPE r [<!ENTITY l0 "lol">${bomb}]>`,
      '<!doctype r>',
    ]) {
      expect(await refusalOf(type + xml.replace('>alice<', '>&x;<'))).toBe(
        'could not parse SAMLResponse string! document types are not allowed',
      )
    }
    expect(await refusalOf(xml.replace('>alice<', '>&x;<'))).toMatch(/^could not parse/)
  })

  test('an answer that is too large, too deep or too complex', async () => {
    const deep = '<a>'.repeat(10_000) + '</a>'.repeat(10_000)
    expect(await refusalOf(deep)).toMatch(/nested too deeply|too many/)
    expect(await refusalOf(`<a>${'<a/>'.repeat(20_000)}</a>`)).toMatch(/too many elements/)
    const declared = (count: number, of: string) =>
      Array.from({ length: count }, (_, index) => `xmlns:${of}${index}="u"`).join(' ')
    expect(await refusalOf(`<a ${declared(4_000, 'n')}/>`)).toMatch(/too many attributes/)
    const each = Array.from({ length: 40 }, (_, index) => `<a ${declared(40, `n${index}-`)}>`)
    expect(await refusalOf(each.join('') + '</a>'.repeat(40))).toMatch(/too many namespaces/)
    for (const unclosed of ['<!--', '<![CDATA[', '<?x', '<a b="', '<a ']) {
      expect(await refusalOf(`<a>${unclosed.repeat(10_000)}`)).toMatch(/not well-formed|too many/)
    }
    const attributes = Array.from({ length: 5_000 }, (_, index) => `a${index}=""`).join(' ')
    expect(await refusalOf(`<a ${attributes}/>`)).toMatch(/^could not/)
    const references = answer({ acs }).replace(/<ds:Reference.*<\/ds:Reference>/, (one) =>
      one.repeat(50),
    )
    expect(await refusalOf(references)).toBe(extract('a signature needs exactly one Reference'))
    const response = await post(`SAMLResponse=${'A'.repeat(200_000)}`)
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      400,
      'request body exceeded maximum size of 131072 bytes',
    ])
    // A deflated answer, as in a redirect, is not XML, however large it would become.
    const { deflateRawSync } = await import('node:zlib')
    const deflated = deflateRawSync(Buffer.alloc(50 * 1024 * 1024, 0x20)).toString('base64')
    const bomb = await post(new URLSearchParams({ SAMLResponse: deflated }).toString())
    expect(bomb.status).toBe(400)
  })

  test('encrypted assertions, and more than one', async () => {
    const said = { acs }
    const encrypted =
      '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'
    expect(await refusalOf(responseXml(said, encrypted))).toBe(
      extract('encrypted assertions are not supported'),
    )
    const xml = answer(said)
    const second = assertionXml({ ...said, nameId: 'admin' })
    expect(await refusalOf(xml.replace('</samlp:Response>', `${second}</samlp:Response>`))).toBe(
      extract('there is more than one assertion'),
    )
    expect(await refusalOf(responseXml(said))).toBe(extract('there is no assertion'))
  })

  test('a signature of a part, of several parts, or of the whole document', async () => {
    const xml = answer({ acs })
    const about = extract('a signature is about another element than the one it is in')
    expect(await refusalOf(xml.replace(/URI="#[^"]+"/, 'URI=""'))).toBe(about)
    expect(await refusalOf(xml.replace(/URI="#[^"]+"/, 'URI="#other"'))).toBe(about)
    const transforms = xml.replace(
      /<ds:Transform Algorithm="http:\/\/www.w3.org\/2000[^>]+\/>/,
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
    )
    expect(await refusalOf(transforms)).toBe(extract('a transform is not allowed'))
    const twice = xml.replace(/<ds:Signature .*<\/ds:Signature>/, (one) => one + one)
    expect(await refusalOf(twice)).toBe(extract('an element has more than one signature'))
  })
})

describe('refuses wrapped signatures', () => {
  const parts = () => {
    const said = { acs }
    const xml = signed(answer(said), { of: 'Response' })
    const single = answer(said)
    const signature = /<ds:Signature .*?<\/ds:Signature>/
    const original = /<saml:Assertion .*<\/saml:Assertion>/.exec(single)![0]
    const evil = assertionXml({ ...said, nameId: 'admin', id: '_evil' })
    const own = signature.exec(original)![0]
    return {
      xml,
      single,
      original,
      bare: original.replace(own, ''),
      evil,
      own,
      signature,
      /** The answer with other contents in place of its assertion. */
      with: (contents: string) => single.replace(original, contents),
    }
  }
  /** Inserts something before the end of an element. */
  const inside = (xml: string, name: string, contents: string) =>
    xml.replace(new RegExp(`</${name}>$`), `${contents}</${name}>`)
  const behindIssuer = (xml: string, contents: string) =>
    xml.replace('</saml:Issuer>', `</saml:Issuer>${contents}`)

  const shapes: [string, () => string][] = [
    [
      'response, with the original inside of the signature of a forged one',
      () => {
        const { xml, signature } = parts()
        const of = signature.exec(xml)![0]
        const forged = xml
          .replace(of, '')
          .replace(/_response-[^"]+/, '_evil')
          .replace('>alice<', '>admin<')
        return behindIssuer(
          forged,
          of.replace(
            '</ds:Signature>',
            `<ds:Object>${xml.replace(of, '')}</ds:Object></ds:Signature>`,
          ),
        )
      },
    ],
    [
      'response, with the original beside the signature of a forged one',
      () => {
        const { xml, signature } = parts()
        const of = signature.exec(xml)![0]
        const forged = xml
          .replace(of, '')
          .replace(/_response-[^"]+/, '_evil')
          .replace('>alice<', '>admin<')
        return inside(behindIssuer(forged, of), 'samlp:Response', xml.replace(of, ''))
      },
    ],
    [
      'assertion, with the forged one before the original',
      () => {
        const { with: made, evil, original } = parts()
        return made(evil + original)
      },
    ],
    [
      'assertion, with the original inside of the forged one',
      () => {
        const { with: made, evil, original } = parts()
        return made(inside(evil, 'saml:Assertion', original))
      },
    ],
    [
      'assertion, with the signature in the forged one and the original beside it',
      () => {
        const { with: made, evil, own, bare } = parts()
        return made(behindIssuer(evil, own) + bare)
      },
    ],
    [
      'assertion, with the original inside of the signature of the forged one',
      () => {
        const { with: made, evil, own, bare } = parts()
        const wrapping = own.replace(
          '</ds:Signature>',
          `<ds:Object>${bare}</ds:Object></ds:Signature>`,
        )
        return made(behindIssuer(evil, wrapping))
      },
    ],
    [
      'assertion, with the original in extensions of the response',
      () => {
        const { with: made, evil, own, bare } = parts()
        return made(`<samlp:Extensions>${bare}</samlp:Extensions>${behindIssuer(evil, own)}`)
      },
    ],
    [
      'assertion, with the original in an object that stands anywhere',
      () => {
        const { with: made, evil, own, bare } = parts()
        const object = `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${bare}</ds:Object>`
        return made(behindIssuer(evil, own + object))
      },
    ],
    [
      'assertion, with the same ID twice',
      () => {
        const { with: made, evil, original } = parts()
        const id = /ID="([^"]+)"/.exec(original)![1]!
        return made(original + evil.replace('_evil', id))
      },
    ],
    [
      'assertion, with the original under another name',
      () => {
        const { with: made, evil, own, bare } = parts()
        const hidden = `<x xmlns="urn:x" ${/ID="[^"]+"/.exec(bare)![0]}/>`
        return made(
          behindIssuer(evil.replace('_evil', /ID="([^"]+)"/.exec(bare)![1]!), own) + hidden,
        )
      },
    ],
  ]
  test.each(shapes)('%s', async (_, make) => {
    expect(await refusalOf(make())).toMatch(/^could not extract SAMLResponse assertion! /)
  })
})

describe('a randomly changed answer', () => {
  const markup = '<!---->|<x/>|&amp;|&#0;|<![CDATA[|]]>|<?x?>|</saml:Assertion>|"|<|>|/'
  const texts = '<saml:NameID>admin</saml:NameID>|ID="_x"|xmlns="urn:x"|alice|admin| |ä'
  const parts = [...markup.split('|'), ...texts.split('|'), '\0', '\ud800', '\u202e']
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const change = fc.record({
    from: place,
    length: fc.integer({ min: 0, max: 60 }),
    /** The replacement: random text, or a piece from elsewhere in the answer. */
    by: fc.oneof(fc.constantFrom(...parts), fc.tuple(place, fc.integer({ min: 1, max: 400 }))),
  })

  test('is refused, or has the same meaning', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let xml = answer({ acs, groups: ['staff'] })
        for (const { from, length, by } of changes) {
          const at = Math.floor(from * xml.length)
          const piece =
            typeof by === 'string'
              ? by
              : xml.slice(Math.floor(by[0] * xml.length), Math.floor(by[0] * xml.length) + by[1])
          xml = xml.slice(0, at) + piece + xml.slice(at + length)
        }
        const response = await post(form(xml))
        expect([303, 400]).toContain(response.status)
        if (response.status !== 303) return
        const caller = new Caller(server.url, cookieOf(response))
        expect((await caller.call('current_user_view')).display_name).toBe('alice')
        expect(await groupsOf(caller)).toEqual(['staff'])
      }),
      { numRuns: 40 },
    )
  })
})
