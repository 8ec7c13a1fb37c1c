/** The stages that `npm test` and `npm run test:long` have in common. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import type { Failure, Results } from './checks.ts'
import { guestImage, guestsMissing } from '../packages/libvirt/test/support/small-image.ts'
import { capture, root, run, runLabelled } from './processes.ts'
import {
  consoleSite,
  demoSite,
  docsSite,
  exists,
  gallerySite,
  refresh,
  type Site,
} from './sites.ts'
import { titlePattern } from './words.ts'

/** Stages that run side by side. */
export type Stages = Record<string, () => Promise<Results>>

export interface TestOptions {
  /** Only the tests that have all of them in their path and title. */
  words: readonly string[]
  /** The tests that `npm test` leaves out: of the packages as well, in the browser alone. */
  long?: boolean
  /** Keeps a trace of each browser test that fails. */
  trace?: boolean
  /** Runs the tests of the packages and of the browser side by side. */
  together?: boolean
}

const reports = join(root, 'node_modules/.cache/reports')

/** A stage that fails without a failed test, e.g. by a crash, counts as one failure. */
function counted(stage: string, exitCode: number, results: Results): Results {
  if (exitCode === 0 || results.failed > 0) return results
  const message = `The process ended with exit code ${exitCode}.`
  return { ...results, failed: 1, failures: [{ title: stage, message }] }
}

function readReport<T>(file: string): Partial<T> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<T>) : {}
}

const none = (): Results => ({ passed: 0, failed: 0, skipped: 0, failures: [] })

const runner = (label: string, { together }: TestOptions): typeof run =>
  together ? (command, args = [], env) => runLabelled(label, command, args, env) : run

const environment = ({ long }: TestOptions): Record<string, string> =>
  long ? { STEADING_LONG_TESTS: '1' } : {}

/** Option of Node: most objects of a test end with it, before their garbage is collected, in MiB. */
const MORE_YOUNG = '--max-semi-space-size=64'

async function packageTests(options: TestOptions): Promise<Results> {
  const file = join(reports, 'packages.json')
  rmSync(file, { force: true })
  const script = join(import.meta.dirname, 'package-tests.ts')
  const args = [MORE_YOUNG, script, file, ...options.words]
  const code = await runner('packages', options)(process.execPath, args, environment(options))
  return counted('package tests', code, { ...none(), ...readReport<Results>(file) })
}

/** Builds the image that tests with real guests boot, where there are any. */
async function refreshGuestImage(): Promise<boolean> {
  if (guestsMissing() !== undefined || existsSync(guestImage)) return true
  console.log('Building the image of guests…')
  const script = join(import.meta.dirname, 'image.ts')
  return (await run(process.execPath, [script, guestImage])) === 0
}

/** The builds that the tests of the packages need as well. */
const early = [docsSite, consoleSite]
/** The demo includes the documentation and the gallery. */
const late = [gallerySite, demoSite]

/** Builds sites, one after the other. */
async function builds(sites: readonly Site[]): Promise<Results> {
  const results = none()
  for (const site of sites.filter(exists)) {
    if (await refresh(site)) results.passed++
    else {
      results.failed++
      results.failures.push({ title: `build of ${site.name}`, message: '' })
    }
  }
  return results
}

async function guestImages(): Promise<Results> {
  if (await refreshGuestImage()) return { ...none(), passed: 1 }
  return {
    ...none(),
    failed: 1,
    failures: [{ title: 'build of the image of guests', message: '' }],
  }
}

/** The counts of several stages together. */
const sumOf = (parts: readonly Results[]): Results => ({
  passed: parts.reduce((sum, { passed }) => sum + passed, 0),
  failed: parts.reduce((sum, { failed }) => sum + failed, 0),
  skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
  failures: parts.flatMap(({ failures }) => failures),
})

/** An error of Playwright without the log of the browser, which would hide the log of the call. */
const withoutBrowserLog = (message = ''): string =>
  message.replace(/Browser logs:[\s\S]*?(?=Call log:|$)/, '')

/** Failed tests of a suite and of the suites in it. */
function failuresOf({ specs, suites = [] }: JSONReportSuite, path: string): Failure[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        title: `${path} > ${title}`,
        // After a timeout, the second error names the step that waited.
        message: (results.at(-1)?.errors ?? [])
          .map((error) => withoutBrowserLog(error.message))
          .join('\n'),
      })),
  )
  return [...own, ...suites.flatMap((suite) => failuresOf(suite, `${path} > ${suite.title}`))]
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

async function browserTests(options: TestOptions): Promise<Results> {
  const file = join(reports, 'playwright.json')
  rmSync(file, { force: true })
  const trace = options.trace ? ['--trace=retain-on-failure'] : []
  const code = await runner('browser ', options)(
    'playwright',
    ['test', '--config=e2e', '--reporter=list,json', ...trace, ...browserFilter(options)],
    { ...environment(options), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  )
  const { stats, suites = [] } = readReport<JSONReport>(file)
  return counted('browser tests', code, {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
    skipped: stats?.skipped ?? 0,
    failures: suites.flatMap((suite) => failuresOf(suite, suite.title)),
  })
}

/** The tests of the packages, and those of the built product in a browser if any are wanted. */
export async function testStages(options: TestOptions): Promise<Stages[]> {
  const ofPackages = { 'package tests': () => packageTests(options) }
  if (!(await anyBrowserTest(options))) return [ofPackages]
  const earlyBuilds = {
    builds: async () => sumOf(await Promise.all([guestImages(), builds(early)])),
  }
  const ofBrowser = {
    'browser tests': async () => sumOf([await builds(late), await browserTests(options)]),
  }
  return options.together
    ? [earlyBuilds, { ...ofPackages, ...ofBrowser }]
    : [ofPackages, earlyBuilds, ofBrowser]
}

/** Failures whose errors are repeated at the end, and the lines of each. */
const FAILURES_SHOWN = 20
const LINES_PER_FAILURE = 16

/** Failures at the end of the output, where they are found without a search. */
function describeFailures(failures: readonly Failure[]): string {
  const shown = failures.slice(0, FAILURES_SHOWN).map(({ title, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, LINES_PER_FAILURE)
    return [`✗ ${title}`, ...lines.map((line) => `    ${line}`)].join('\n')
  })
  const more = failures.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/**
 * Runs all groups of stages, one after the other, even if an earlier one has failed, reports their
 * failures and counts, and sets the exit code of this process.
 */
export async function runStages(groups: Stages[], words: readonly string[]): Promise<void> {
  mkdirSync(reports, { recursive: true })
  const total = none()
  const summary: string[] = []
  const text = ({ passed, failed, skipped }: Results): string =>
    `${passed} passed, ${failed} failed, ${skipped} skipped`
  const runStage = async (name: string, stage: () => Promise<Results>) => {
    const began = performance.now()
    console.log(`\n── ${name}`)
    const results = await stage()
    const seconds = Math.round((performance.now() - began) / 1000)
    summary.push(`${name}: ${text(results)} (${seconds} s)`)
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += results[key]
    total.failures.push(...results.failures)
  }
  for (const group of groups) {
    await Promise.all(Object.entries(group).map(([name, stage]) => runStage(name, stage)))
  }
  if (total.failures.length > 0) console.log(`\n${describeFailures(total.failures)}`)
  console.log(`\n${summary.join('\n')}`)
  console.log(text(total))
  if (total.passed + total.failed === 0)
    console.error(`No test has "${words.join(' ')}" in its title.`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}
