/**
 * `npm run check`: titles of the commits since the last tag, at most the last 50. A title is an
 * imperative sentence without a full stop, of at most 72 characters. A checkout without history
 * passes.
 */
import { execFileSync } from 'node:child_process'
import { root } from './processes.ts'

const LONGEST = 72
const MOST = 50

function git(...args: string[]): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: [...stdio] }).trim()
  } catch {
    return undefined
  }
}

function problemOf(title: string): string | undefined {
  if (title.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (!/^\p{Lu}/u.test(title)) return 'does not begin with a capital letter'
  if (title.endsWith('.')) return 'ends with a full stop'
  // "Embed", "Feed" and "Bring" are imperatives.
  if (/^\w{4,}(?<!e)ed\b|^\w{4,}ing\b/.test(title) && !/^(Embed|Bring|String)\b/.test(title)) {
    return 'does not begin with an imperative'
  }
  return undefined
}

const tag = git('describe', '--tags', '--abbrev=0')
const range = tag === undefined ? [] : [`${tag}..`]
const titles = git('log', '--no-merges', `-${MOST}`, '--format=%s', ...range) ?? ''
const problems = titles
  .split('\n')
  .filter((title) => title !== '')
  .flatMap((title) => {
    const problem = problemOf(title)
    return problem === undefined ? [] : [`"${title}" ${problem}`]
  })
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
