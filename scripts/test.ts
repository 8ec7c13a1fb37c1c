/**
 * `npm test`: everything. Checks, then the package tests, then the browser tests of the built
 * product. All stages run, even if an earlier one has failed; the last line counts the failures.
 *
 * `npm test -- <words>`: only tests with all the words in path and title. `npm test -- --trace`:
 * keeps a trace of each failed browser test, in `e2e/test-results`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Counts, runChecks } from './checks.ts'
import { capture, root, run } from './processes.ts'
import { consoleSite, demoSite, docsSite, exists, refresh } from './sites.ts'
import { titlePattern } from './words.ts'

const { values: options, positionals: words } = parseArgs({
  options: { trace: { type: 'boolean', default: false } },
  allowPositionals: true,
})

const reports = join(root, 'node_modules/.cache/reports')
mkdirSync(reports, { recursive: true })

/** A stage that fails without a failed test, e.g. by a crash, counts as one failure. */
function counted(exitCode: number, counts: Counts): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport<T>(file: string): Partial<T> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<T>) : {}
}

async function packageTests(): Promise<Counts> {
  const file = join(reports, 'packages.json')
  rmSync(file, { force: true })
  const script = join(import.meta.dirname, 'package-tests.ts')
  const code = await run(process.execPath, [script, file, ...words])
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

/** Titles begin with the path of the file below `e2e/tests`. */
const browserFilter =
  words.length > 0
    ? ['--grep', titlePattern(words.map((word) => word.replace(/^e2e\/tests\//, ''))).source]
    : []

async function anyBrowserTest(): Promise<boolean> {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) return false
  if (words.length === 0) return true
  const list = ['test', '--config=e2e', '--list', ...browserFilter]
  return !(await capture('playwright', list)).output.includes('No tests found')
}

async function browserTests(): Promise<Counts> {
  const file = join(reports, 'playwright.json')
  rmSync(file, { force: true })
  const trace = options.trace ? ['--trace=retain-on-failure'] : []
  const code = await run(
    'playwright',
    ['test', '--config=e2e', '--reporter=list,json', ...trace, ...browserFilter],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  )
  const {
    expected = 0,
    unexpected = 0,
    flaky = 0,
    skipped = 0,
  } = readReport<PlaywrightReport>(file).stats ?? {}
  return counted(code, { passed: expected + flaky, failed: unexpected, skipped })
}

const browser = await anyBrowserTest()
const stages: Record<string, () => Promise<Counts>> = {
  ...(words.length === 0 && { checks: runChecks }),
  'package tests': packageTests,
  ...(browser && { builds, 'browser tests': browserTests }),
}

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
