/** What the README promises. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { options } from '../src/config.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The table of all options, as it must stand in the README. */
const table = [
  '| flag | variable | default | |',
  '|---|---|---|---|',
  ...options.map(({ flag, value, env, default: fallback, help }) => {
    const left = flag ? `\`${[flag, value].filter(Boolean).join(' ')}\`` : ''
    return `| ${left} | \`${env}\` | ${fallback} | ${help} |`
  }),
].join('\n')

test('the README lists every option', () => {
  const [, found] =
    /<!-- options -->\n\n?([\s\S]*?)\n?\n<!-- \/options -->/.exec(read('README.md')) ?? []
  // Formatters align columns; what stands in them is what counts.
  const cells = (text: string | undefined) =>
    text
      ?.split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replace(/^-+$/, '---')))
  expect(cells(found)).toEqual(cells(table))
})

test('continuous integration runs exactly the second command of the README', () => {
  const commands = [...read('README.md').matchAll(/```sh\n(.+)\n```/g)].map(
    ([, command]) => command,
  )
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  expect(read('.ci/run').trim().split('\n').at(-1)).toBe(commands[1])
})
