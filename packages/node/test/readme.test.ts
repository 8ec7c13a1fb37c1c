/** The commands of the README. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('continuous integration runs exactly the second command of the README', () => {
  const commands = [...read('README.md').matchAll(/```sh\n(.+)\n```/g)].map(
    ([, command]) => command,
  )
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
  expect(read('.ci/run').trim().split('\n').at(-1)).toBe(commands[1])
})
