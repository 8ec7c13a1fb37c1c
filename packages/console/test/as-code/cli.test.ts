import { wireRequest } from '@steading/api/wire-request'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cli } from '../../src/workspace/as-code/cli.ts'
import { call, type Call, idOf } from '../../src/workspace/as-code/steps.ts'
import { calls, empty } from './examples.ts'

const origin = 'https://console.example.com'

/** The words and the input that `sh` passes to the tool, for each command of a script. */
function sentBy(script: string): { words: string[]; input: string }[] {
  const listen = `oxide() { printf '%s\\0' "$@"; case "$*" in *--input*) cat;; esac; printf '\\f'; }`
  const output = execFileSync('sh', ['-u', '-c', `${listen}\n${script}`], { encoding: 'utf8' })
  return output
    .split('\f')
    .slice(0, -1)
    .map((said) => {
      const parts = said.split('\0')
      return { words: parts.slice(0, -1), input: parts.at(-1)! }
    })
}

test('the commands send the same requests as the console', () => {
  const steps = ([...calls, ...empty] as Call[]).filter((step) => cli([step], origin).text !== '')
  expect(steps.length).toBeGreaterThan(calls.length * 0.9)
  const sent = sentBy(steps.map((step) => cli([step], origin).text).join('\n'))
  expect(sent).toHaveLength(steps.length)
  for (const [index, { operation, args }] of steps.entries()) {
    const { verb, path, body } = wireRequest(operation, args)
    const { words, input } = sent[index]!
    expect(words.slice(0, 4)).toEqual(['api', path, '--method', verb])
    expect(input === '' ? undefined : JSON.parse(input)).toEqual(
      body && JSON.parse(JSON.stringify(body)),
    )
  }
})

test('the reason of a change is sent along', () => {
  const step = call('projectCreate', { body: { name: 'mill', description: '' } })
  const [sent] = sentBy(cli([{ ...step, reason: "it's ü" }], origin).text)
  expect(sent!.words).toContain("x-change-reason:it's%20%C3%BC")
})

test('quotes, and refers to a script where a call needs the answer of another', () => {
  const description = `it's $HOME \`id\` "here"\nEND\n`
  const body = { name: 'mill', description }
  const { text, notes } = cli([call('projectCreate', { body })], origin)
  expect(JSON.parse(sentBy(text)[0]!.input)).toEqual(body)
  expect(notes).toEqual([expect.stringContaining(`oxide auth login --host ${origin}`)])
  const image = { name: 'base', description: '', os: 'debian', version: '13' }
  const source = { type: 'snapshot' as const, id: idOf('snapshot') }
  const chained = call('imageCreate', { body: { ...image, source } })
  expect(cli([chained], origin)).toMatchObject({ text: '' })
})
