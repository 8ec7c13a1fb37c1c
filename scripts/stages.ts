/** The stages that `npm test` and `npm run test:long` have in common. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from './checks.ts'
import { capture, root, run } from './processes.ts'
import { consoleSite, demoSite, docsSite, exists, refresh } from './sites.ts'
import { titlePattern } from './words.ts'

export type Stages = Record<string, () => Promise<Counts>>

export interface TestOptions {
  /** Only the tests that have all of them in their path and title. */
  words: readonly string[]
  /** The tests that `npm test` leaves out: of the packages as well, in the browser alone. */
  long?: boolean
  /** Keeps a trace of each browser test that fails. */
  trace?: boolean
}

const reports = join(root, 'node_modules/.cache/reports')

/** A stage that fails without a failed test, e.g. by a crash, counts as one failure. */
function counted(exitCode: number, counts: Counts): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport<T>(file: string): Partial<T> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<T>) : {}
}

const environment = ({ long }: TestOptions): Record<string, string> =>
  long ? { STEADING_LONG_TESTS: '1' } : {}

async function packageTests(options: TestOptions): Promise<Counts> {
  const file = join(reports, 'packages.json')
  rmSync(file, { force: true })
  const script = join(import.meta.dirname, 'package-tests.ts')
  const args = [script, file, ...options.words]
  const code = await run(process.execPath, args, environment(options))
  return counted(code, { passed: 0, failed: 0, skipped: 0, ...readReport<Counts>(file) })
}

async function builds(): Promise<Counts> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const site of [docsSite, consoleSite, demoSite].filter(exists)) {
    counts[(await refresh(site)) ? 'passed' : 'failed']++
  }
  return counts
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/** Titles begin with the path of the file below `e2e/tests`, and end with the tags. */
function browserFilter({ words, long }: TestOptions): string[] {
  const wanted = words.map((word) => word.replace(/^e2e\/tests\//, ''))
  if (long) wanted.push('@long')
  return wanted.length > 0 ? ['--grep', titlePattern(wanted).source] : []
}

async function anyBrowserTest(options: TestOptions): Promise<boolean> {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) return false
  if (options.words.length === 0) return true
  const list = ['test', '--config=e2e', '--list', ...browserFilter(options)]
  const { output } = await capture('playwright', list, environment(options))
  return !output.includes('No tests found')
}

async function browserTests(options: TestOptions): Promise<Counts> {
  const file = join(reports, 'playwright.json')
  rmSync(file, { force: true })
  const trace = options.trace ? ['--trace=retain-on-failure'] : []
  const code = await run(
    'playwright',
    ['test', '--config=e2e', '--reporter=list,json', ...trace, ...browserFilter(options)],
    { ...environment(options), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  )
  const {
    expected = 0,
    unexpected = 0,
    flaky = 0,
    skipped = 0,
  } = readReport<PlaywrightReport>(file).stats ?? {}
  return counted(code, { passed: expected + flaky, failed: unexpected, skipped })
}

/** The tests of the packages, and those of the built product in a browser if any are wanted. */
export async function testStages(options: TestOptions): Promise<Stages> {
  const browser = await anyBrowserTest(options)
  return {
    'package tests': () => packageTests(options),
    ...(browser && { builds, 'browser tests': () => browserTests(options) }),
  }
}

/**
 * Runs all stages, even if an earlier one has failed, tells their counts, and sets the exit code of
 * this process.
 */
export async function runStages(stages: Stages, words: readonly string[]): Promise<void> {
  mkdirSync(reports, { recursive: true })
  const total: Counts = { passed: 0, failed: 0, skipped: 0 }
  const summary: string[] = []
  const text = ({ passed, failed, skipped }: Counts): string =>
    `${passed} passed, ${failed} failed, ${skipped} skipped`
  for (const [name, stage] of Object.entries(stages)) {
    const began = performance.now()
    console.log(`\n── ${name}`)
    const counts = await stage()
    const seconds = Math.round((performance.now() - began) / 1000)
    summary.push(`${name}: ${text(counts)} (${seconds} s)`)
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  }
  console.log(`\n${summary.join('\n')}`)
  console.log(text(total))
  if (total.passed + total.failed === 0)
    console.error(`No test has "${words.join(' ')}" in its title.`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}
