import fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { call, type Step } from '../../src/workspace/as-code/steps.ts'
import { typescript } from '../../src/workspace/as-code/typescript.ts'
import { empty, everything } from './examples.ts'
import { long } from '../../../control-plane/test/support/long.ts'

const root = resolve(import.meta.dirname, '../../../..')
const origin = "https://console.example.com/it's"

const options = {
  target: 'ES2024',
  module: 'nodenext',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  strict: true,
  noUnusedLocals: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Compiler errors of modules that use our client. */
function complaints(modules: string[]): string {
  const directory = mkdtempSync(join(root, 'node_modules/.snippets-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [index, text] of modules.entries()) {
    writeFileSync(join(directory, `${index}.mts`), text)
  }
  const config = join(directory, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions: options, include: ['*.mts'] }))
  const compiler = join(root, 'node_modules/.bin/tsc')
  return spawnSync(compiler, ['-p', config], { encoding: 'utf8' }).stdout
}

test('the code of every call compiles', () => {
  const steps = [...everything, ...empty.map((step) => [step])]
  expect(complaints(steps.map((each) => typescript(each, origin).text))).toBe('')
})

test('the reason of a change is sent along', () => {
  const step = call('projectCreate', { body: { name: 'mill', description: '' } })
  const code = typescript([{ ...step, reason: "it's ü" }], origin).text
  expect(code).toContain(String.raw`, { reason: 'it\'s ü' })`)
  expect(complaints([code])).toBe('')
})

test('invalid code does not compile', () => {
  const wrong = call('projectCreate', { body: { title: 'mill' } as never })
  expect(complaints([typescript([wrong], origin).text])).toContain("'title' does not exist")
})

/** The evaluated arguments of the only call. */
const argumentsOf = (step: Step) => {
  const { text } = typescript([step], origin)
  const literal = /await api\.\w+\(([^]*)\)\nif/.exec(text)![1]!
  return JSON.parse(JSON.stringify(runInNewContext(`(${literal})`)))
}

test('string literals preserve any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, description) => {
      const args = { path: { project: name }, body: { name: description, description: name } }
      expect(argumentsOf(call('projectUpdate', args))).toEqual(args)
    }),
    { numRuns: long ? 100 : 15 },
  )
  const hard = `'"\\\`\${x}\u2028\r\n\0</script>`
  expect(argumentsOf(call('projectDelete', { path: { project: hard } }))).toEqual({
    path: { project: hard },
  })
})
