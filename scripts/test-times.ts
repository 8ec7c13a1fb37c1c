/**
 * `npm run check`: tests do not depend on the speed of the machine or on luck. They compare no
 * durations, wait for no time that is a little ahead (`fromNow` of the test support), and make
 * random choices from a seed (`random`). The test clock may be moved.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './processes.ts'

const movesClock = /setSystemTime|advanceTimers|stopClocks|mockReturnValue/

/** Support code may measure, for the figures that it prints. */
const rules: { forbids: RegExp; instead: string; excuse?: RegExp; onlyTests?: true }[] = [
  {
    onlyTests: true,
    forbids: /performance\.now\(\)[^\n]*(?:[^=]>|<)|expect\([^\n]*performance\.now\(\)/,
    instead: 'count events, or let the timeout of the test end a hang',
  },
  {
    forbids: /Date\.now\(\) \+|\+ Date\.now\(\)/,
    instead: 'use fromNow of the test support, or move the test clock',
    excuse: movesClock,
  },
  { forbids: /Math\.random\(\)/, instead: 'use random of the test support, which has a seed' },
]

const tests = ['packages/*/test/**', 'e2e/**']
const list = ['ls-files', '-co', '--exclude-standard', ...tests]
const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(join(root, file)))

const isTest = /\.(?:test|spec)\.tsx?$/
const problems = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ onlyTests }) => !onlyTests || isTest.test(file))
        .filter(({ forbids, excuse }) => forbids.test(line) && !excuse?.test(line))
        .map(({ instead }) => `${file}:${index + 1}: ${line.trim()}\n  ${instead}`),
    ),
)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
