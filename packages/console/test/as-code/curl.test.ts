import { wireRequest } from '@steading/api/wire-request'
import fc from 'fast-check'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { curl } from '../../src/workspace/as-code/curl.ts'
import { base64Of, call, type Call } from '../../src/workspace/as-code/steps.ts'
import { calls, empty, sequences } from './examples.ts'

const origin = 'https://console.example.com'

/**
 * The arguments that `sh` passes to each `curl` of each script. One shell runs all of them, because
 * its start takes longer than a script.
 */
function wordsOfEach(scripts: readonly string[], cwd?: string): string[][][] {
  const directory = mkdtempSync(join(tmpdir(), 'steading-curl-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const listen = `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }`
  const file = join(directory, 'scripts.sh')
  writeFileSync(file, [listen, ...scripts.map((text) => `${text}\nprintf '\\f\\0'`)].join('\n'))
  const output = execFileSync('sh', ['-u', file], {
    cwd,
    env: { PATH: process.env.PATH, STEADING_SESSION: 'a secret' },
    encoding: 'utf8',
  })
  return output
    .split('\f\0')
    .slice(0, -1)
    .map((said) =>
      said
        .split('\n\0')
        .slice(0, -1)
        .map((command) => command.split('\0').slice(0, -1)),
    )
}

const wordsOf = (script: string, cwd?: string): string[][] => wordsOfEach([script], cwd)[0]!

const after = (words: string[], option: string) => words[words.indexOf(option) + 1]

/** The request of a command parsed by `sh`. */
function sentBy(words: string[]) {
  const verb = after(words, '--request')
  const body = words.includes('--data-raw') ? JSON.parse(after(words, '--data-raw')!) : undefined
  return { verb, url: words.find((word) => word.startsWith(origin)), body }
}

const wire = ({ operation, args }: Call) => {
  const { verb, path, body } = wireRequest(operation, args)
  return { verb, url: origin + path, body: body && JSON.parse(JSON.stringify(body)) }
}

test('the script sends the same requests as the console', () => {
  const steps = ([...calls, ...empty] as Call[]).filter(
    ({ operation }) => operation !== 'instanceCreate',
  )
  const scripts = wordsOfEach(steps.map((step) => curl([step], origin).text))
  expect(scripts).toHaveLength(steps.length)
  for (const [index, step] of steps.entries()) {
    const [words, ...others] = scripts[index]!
    expect(others).toEqual([])
    expect(sentBy(words!)).toEqual(wire(step))
    expect(after(words!, '--cookie')).toBe('session=a secret')
    expect(words).toContain('api-version: 2026081901.0.0')
  }
})

test('the reason of a change is sent along', () => {
  const step = call('projectCreate', { body: { name: 'mill', description: '' } })
  const reason = "Öffnet's\nnun"
  const [words] = wordsOf(curl([{ ...step, reason }], origin).text)
  expect(words).toContain("x-change-reason: %C3%96ffnet's%0Anun")
  expect(words).toContain('api-version: 2026081901.0.0')
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', '\r', '!', '{', '}', '@', '-'),
  }),
  fc.constantFrom('$(touch x)', '`id`', "'; true; '", '${HOME}', 'ü 🐄', '\ud83d', '-e', '@file'),
)

test('arbitrary text survives quoting', () => {
  const texts = fc.array(fc.tuple(anyText, anyText), { minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(texts, (pairs) => {
      const steps = pairs.map(([project, text]) =>
        call('projectUpdate', { path: { project }, body: { name: text, description: text } }),
      )
      const scripts = wordsOfEach(steps.map((step) => curl([step], origin).text))
      expect(scripts.map(([words]) => sentBy(words!))).toEqual(steps.map(wire))
    }),
    { numRuns: 5 },
  )
})

test('user data is read from its file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'steading-curl-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))
  for (const name of ["it's me.yaml", '-n', '$(touch x)']) {
    writeFileSync(join(directory, name), bytes)
    const body = { ...instance, userData: base64Of(name) }
    const { text } = curl([call('instanceCreate', { query: { project: 'mill' }, body })], origin)
    const [words] = wordsOf(text, directory)
    expect(sentBy(words!).body.user_data).toBe(bytes.toString('base64'))
  }
})

const instance = { name: 'a', description: '', hostname: 'a', ncpus: 1, memory: 1 }

test('calls run in sequence', () => {
  const [first, second] = wordsOf(curl(sequences[0]!, origin).text)
  expect(sentBy(first!)).toEqual(wire(sequences[0]![0] as Call))
  expect(sentBy(second!)).toEqual(wire(sequences[0]![1] as Call))
})

test('a failure ends the script but not the surrounding shell', () => {
  const { text } = curl(sequences[0]!, origin)
  const output = execFileSync(
    'sh',
    ['-c', `curl() { echo asked; return 22; }\n${text}\necho alive`],
    {
      encoding: 'utf8',
    },
  )
  expect(output).toBe('asked\nalive\n')
})
