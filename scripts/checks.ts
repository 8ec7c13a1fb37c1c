/** Checks that need no running product: types, lint, import directions, format, drift, and weight. */
import { existsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { capture, root } from './processes.ts'

/** A test or check that failed. */
export interface Failure {
  title: string
  /** Its error, or the end of what it printed. */
  message: string
}

/** Results of tests or checks. */
export interface Results {
  passed: number
  failed: number
  skipped: number
  failures: Failure[]
}

interface Check {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  /** Compares generated files, which a build may write anew. */
  beforeBuilds?: true
}

/** Programs of the type check. Each file is in as few of them as its environment allows. */
const programs = [
  'tsconfig.node.json',
  'tsconfig.shared.json',
  'packages/console',
  // With the tests of the console, which run in Node as well.
  'packages/demo',
]
/**
 * The compiler ends after seconds, and collecting its garbage would be a quarter of its work. A
 * program has up to 2.5 GiB of it.
 */
const uncollected: Record<string, string> =
  totalmem() < 12 * 2 ** 30 ? {} : { GOGC: 'off', GOMEMLIMIT: String(3 * 2 ** 30) }
const node = (script: string, ...args: string[]): Omit<Check, 'name'> => ({
  command: process.execPath,
  args: [join(root, script), ...args],
})

/** Longest first. */
const checks: Check[] = [
  ...programs
    .filter((program) => existsSync(join(root, program)))
    .map((program) => ({
      name: `types of ${program}`,
      command: 'tsc',
      // Several checkers each work out the types that they share; the programs run side by side.
      args: ['-p', program, '--checkers', '1'],
      env: uncollected,
    })),
  { name: 'lint and boundaries', command: 'oxlint', args: ['--deny-warnings'] },
  { name: 'imports go one way', ...node('scripts/imports.ts') },
  { name: 'weight of pages', ...node('scripts/console-weight.ts') },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  {
    name: 'contract drift',
    ...node('packages/api/scripts/generate.ts', '--check'),
    beforeBuilds: true,
  },
  { name: 'commit titles', ...node('scripts/commit-titles.ts') },
  { name: 'times in tests', ...node('scripts/test-times.ts') },
  { name: 'keyboard docs', ...node('scripts/keyboard-docs.ts', '--check'), beforeBuilds: true },
  {
    name: 'addresses of pages',
    ...node('scripts/console-paths.ts', '--check'),
    beforeBuilds: true,
  },
  { name: 'contract conformance', ...node('packages/api/scripts/conformance.ts') },
  {
    name: 'history of versions',
    ...node('packages/api/scripts/version-facts.ts', '--check'),
    beforeBuilds: true,
  },
]

/**
 * Runs checks, as many in parallel as there are processors, and reports each one.
 * @param when only those that must precede the builds, or only the others; by default all
 */
export async function runChecks(when?: 'before builds' | 'with tests'): Promise<Results> {
  const waiting = checks.filter(
    ({ beforeBuilds = false }) => !when || beforeBuilds === (when === 'before builds'),
  )
  let passed = 0
  const failures: Failure[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { code, output } = await capture(next.command, next.args, next.env)
      if (code === 0) passed++
      else failures.push({ title: next.name, message: output })
      console.log(`${code === 0 ? '✓' : '✗'} ${next.name}`)
      if (code !== 0) console.log(output)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return { passed, failed: failures.length, skipped: 0, failures }
}
