/**
 * `npm test`: everything. Checks, then the tests of the packages, then those of the built product
 * in a browser. All stages run whatever the ones before them found; the last line counts.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, runChecks } from './checks.ts'
import { root, run } from './processes.ts'
import { consoleSite, demoSite, exists, refresh } from './sites.ts'

const reports = join(root, 'node_modules/.cache/reports')
mkdirSync(reports, { recursive: true })

/** A stage that fails without a failed test, e.g. by a crash, counts as one failure. */
function counted(exitCode: number, counts: Counts): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport<T>(file: string): Partial<T> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<T>) : {}
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

async function packageTests(): Promise<Counts> {
  const file = join(reports, 'vitest.json')
  rmSync(file, { force: true })
  const code = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const report = readReport<VitestReport>(file)
  const brokenFiles = (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  return counted(code, {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + brokenFiles,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  })
}

async function builds(): Promise<Counts> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const site of [consoleSite, demoSite].filter(exists)) {
    counts[(await refresh(site)) ? 'passed' : 'failed']++
  }
  return counts
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

async function browserTests(): Promise<Counts> {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) {
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const file = join(reports, 'playwright.json')
  rmSync(file, { force: true })
  const code = await run('playwright', ['test', '--config=e2e', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  })
  const {
    expected = 0,
    unexpected = 0,
    flaky = 0,
    skipped = 0,
  } = readReport<PlaywrightReport>(file).stats ?? {}
  return counted(code, { passed: expected + flaky, failed: unexpected, skipped })
}

const stages = {
  checks: runChecks,
  'package tests': packageTests,
  builds,
  'browser tests': browserTests,
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
process.exitCode = total.failed > 0 ? 1 : 0
