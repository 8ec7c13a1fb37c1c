import {
  secondDiskDevices,
  USER_DATA_MAX,
  userDataExamples,
  userDataFormat,
  userDataRemarks,
} from '@steading/api/rules'
import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Remark } from '../src/compute/instances/create/cloud-config.ts'
import {
  bytesOf,
  offsetOf,
  userDataFileRemark,
  userDataRemark,
} from '../src/compute/instances/create/user-data-check.ts'

const config = (...lines: string[]) => ['#cloud-config', ...lines].join('\n')

test('accepts every format of cloud-init', async () => {
  const texts = [
    '',
    '#cloud-config',
    '#cloud-config\n',
    config('packages: [nginx]', ''),
    config('a: &x [1]', 'b: *x'),
    config('---', 'a: 1'),
    '#cloud-config\r\npackages:\r\n  - nginx\r\n',
    '#!/bin/sh\necho',
    '#! /usr/bin/env python3\n',
    '#include\nhttps://example.com/a',
    '#include-once\nhttps://example.com/a',
    '#cloud-config-archive\n- not: {checked',
    '#cloud-boothook\n:',
    '#part-handler\n',
    '## template: jinja\n#cloud-config\na: {{ ds }',
    'Content-Type: multipart/mixed; boundary="x"\nMIME-Version: 1.0\n',
    'From nobody Sat Nov 28 2026\nMIME-Version: 1.0\n',
    '\n#cloud-config\na: 1\n',
    '#Cloud-Config\na: 1\n',
    'MIME-Version: 1.0\n',
  ]
  for (const text of texts) expect([text, await userDataRemark(text)]).toEqual([text, undefined])
})

test('names a mistake and its place', async () => {
  const rows: [text: string, message: string | RegExp, line?: number, column?: number][] = [
    ['apt-get install nginx', userDataRemarks.unknown],
    ['packages: [nginx]', userDataRemarks.unknown],
    ['# cloud-config\na: 1', userDataRemarks.unknown],
    ['#!', userDataRemarks.noInterpreter, 1, 3],
    ['#!\n/bin/sh', userDataRemarks.noInterpreter, 1, 3],
    ['#!sh\n', userDataRemarks.noInterpreter, 1, 3],
    [config('packages', '  - nginx'), userDataRemarks.notKeys, 2, 1],
    [config('- nginx'), userDataRemarks.notKeys, 2, 1],
    [config('packages: [nginx'), /flow sequence|must end|\]/i, 2, 17],
    [config('packages:', '\t- nginx'), /tab/i, 3, 1],
    [config('a: 1', 'a: 2'), /unique/, 3, 1],
    [config('a: b: c'), /nested mappings/i, 2, 4],
    [config('a: "b'), /closing "/i, 2, 6],
    [config('a: *x'), userDataRemarks.unknownAlias('x'), 2, 4],
    [config('a: *x', 'b: &x 1'), userDataRemarks.unknownAlias('x'), 2, 4],
    [config('a: 1', '---', 'b: 1'), /multiple documents/i, 3, 1],
    [config('mühle: 🌾', 'a: "'), /closing "/i, 3, 5],
  ]
  for (const [text, message, line, column] of rows) {
    const at = line === undefined ? {} : { at: { line, column } }
    const expected = {
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      ...at,
    }
    expect([text, await userDataRemark(text)]).toEqual([text, expected])
  }
})

test('leaves the limit to its own error, and gives up on deep nesting', async () => {
  expect(await userDataRemark(`#cloud-config\n${'['.repeat(USER_DATA_MAX)}`)).toBeUndefined()
  const deep = `#cloud-config\n${'['.repeat(16_000)}${']'.repeat(16_000)}`
  expect((await userDataRemark(deep))?.message).toBe(userDataRemarks.tooDeep)
})

test('an example is valid with any key, and contains it', async () => {
  const keys = ['ssh-ed25519 AAAA me@here', 'ssh-rsa AAAA "it\'s: #me"']
  for (const device of Object.values(secondDiskDevices)) {
    for (const { title, text } of userDataExamples) {
      for (const key of keys) {
        const example = text({ key, device })
        expect([title, await userDataRemark(example)]).toEqual([title, undefined])
        if (!example.includes('ssh_authorized_keys')) continue
        expect(parse(example)).toMatchObject({
          users: ['default', { ssh_authorized_keys: [key] }],
        })
      }
    }
  }
  const all = userDataExamples.map(({ text }) => text({ key: keys[0]!, device: '/dev/vdz' }))
  expect(all.filter((text) => text.includes('/dev/vdz'))).toHaveLength(1)
  expect(all.map(userDataFormat)).toContain('script')
})

const isInside = (text: string, { at }: Remark): boolean => {
  if (!at) return true
  const line = text.split('\n')[at.line - 1]
  return line !== undefined && at.column >= 1 && at.column <= line.length + 1
}

test('a mapping of any values passes, and a mistake in any text is inside of it', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const mapping = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), value, { maxKeys: 5 })
  await fc.assert(
    fc.asyncProperty(mapping, async (values) => {
      const text = `#cloud-config\n${stringify(values, { version: '1.1' })}`
      fc.pre(bytesOf(text) <= USER_DATA_MAX)
      expect(await userDataRemark(text)).toBeUndefined()
    }),
    { numRuns: 60 },
  )
  const piece = fc.constantFrom(...'ab:- \n\t[]{}"\'#&*!|>%@,?🌾\r', '\n  ', '- ', ': ', '---\n')
  const texts = fc
    .array(piece, { maxLength: 40 })
    .map((pieces) => `#cloud-config\n${pieces.join('')}`)
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const remark = await userDataRemark(text)
      if (remark) expect([remark, isInside(text, remark)]).toEqual([remark, true])
    }),
    { numRuns: 300 },
  )
})

test('the offset of a place is that of its character, or the nearest', () => {
  const text = 'one\ntwo\n'
  expect(text.slice(offsetOf(text, { line: 2, column: 2 }))).toBe('wo\n')
  expect(offsetOf(text, { line: 1, column: 9 })).toBe(3)
  expect(offsetOf(text, { line: 3, column: 1 })).toBe(8)
  expect(offsetOf(text, { line: 9, column: 9 })).toBe(8)
})

describe('a file is checked like a text', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const packed = (text: string) => new Uint8Array(gzipSync(bytes(text)))
  const utf16 = new Uint8Array(Buffer.from('\uFEFF#cloud-config\n', 'utf16le'))
  test.each<[string, Uint8Array<ArrayBuffer>, string | undefined]>([
    ['a cloud-config', bytes('#cloud-config\na: 1\n'), undefined],
    ['a packed cloud-config', packed('#cloud-config\na: 1\n'), undefined],
    ['a packed text', packed('packages: [nginx]'), userDataRemarks.unknown],
    ['a damaged archive', packed('#cloud-config\n').slice(0, 20), userDataRemarks.damaged],
    ['an invisible mark', bytes('\uFEFF#cloud-config\n'), userDataRemarks.mark],
    ['UTF-16', utf16, userDataRemarks.utf16],
    ['UTF-16 without a mark', utf16.slice(2), userDataRemarks.utf16],
    ['Base64', bytes(`${btoa('#cloud-config\na: 1\n')}\n`), userDataRemarks.base64],
    [
      'Base64 of an archive',
      bytes(Buffer.from(packed('#!/bin/sh')).toString('base64')),
      userDataRemarks.base64,
    ],
  ])('%s', async (_, file, message) => {
    expect((await userDataFileRemark(file))?.message).toBe(message)
  })
})
