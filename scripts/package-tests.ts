/**
 * Tests of the packages with all the words in path and title; all tests without words. A separate
 * process, because Vite sets environment variables that would affect a build.
 *
 * Usage: `node scripts/package-tests.ts <file for the results> [words]`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import type { Failure, Results } from './checks.ts'
import { root } from './processes.ts'
import { titlePattern, wordsOutside } from './words.ts'

const [file, ...words] = process.argv.slice(2)
const long = process.env.STEADING_LONG_TESTS === '1'

/** Whether a test is of this run by its title. */
const isSelected = ({ fullName }: TestCase): boolean => long || !fullName.endsWith('@long')

function resultsOf(modules: readonly TestModule[]): Results {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures: Failure[] = []
  for (const module of modules) {
    const failedTests: Failure[] = []
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result()
      // Tests that were not selected do not count as skipped.
      if (state !== 'pending' && isSelected(test)) counts[state]++
      if (state !== 'failed') continue
      const title = `${module.relativeModuleId} > ${test.fullName} (${test.project.name})`
      failedTests.push({ title, message: errors?.[0]?.message ?? '' })
    }
    // A file that fails to import, or whose hooks fail, has no failed test.
    if (module.state() === 'failed' && failedTests.length === 0) {
      counts.failed++
      const errors = [module, ...module.children.allSuites()].flatMap((each) => each.errors())
      failures.push({ title: module.relativeModuleId, message: errors[0]?.message ?? '' })
    }
    failures.push(...failedTests)
  }
  return { ...counts, failures }
}

/** A title that is not written in its file as it is: with values, or of each row of a table. */
const computedTitle =
  /\b(?:test|it|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(?:`[^`]*\$\{|[a-zA-Z_]\w*\s*,)|\.(?:each|for)\(/

/**
 * Whether a file may have a test with the words in its title, by its text: most files do not, and
 * need not be imported.
 */
function mayHave(file: string, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = readFileSync(file, 'utf8')
  return wordsOutside(text, words).length === 0 || computedTitle.test(text)
}

/** As `testNamePattern` of the configuration, which it replaces. */
function selectedPattern(words: readonly string[]): RegExp {
  const { source, flags } = titlePattern(words)
  return new RegExp(`${long ? '^' : '^(?!.*@long$)'}${source.slice(1)}`, flags)
}

/** Files whose path has all words, and in other files the tests whose titles have the rest. */
async function specificationsOf(vitest: Vitest, words: readonly string[]) {
  const all = await vitest.globTestSpecifications()
  return all.flatMap(({ project, moduleId }) => {
    const rest = wordsOutside(moduleId.slice(root.length), words)
    const testNamePattern = rest.length > 0 ? selectedPattern(rest) : undefined
    return mayHave(moduleId, rest) ? project.createSpecification(moduleId, { testNamePattern }) : []
  })
}

const everything = words.length === 0
process.env.NODE_ENV ??= 'test'
const vitest = await createVitest('test', {
  root,
  watch: false,
  reporters: [everything ? 'default' : 'verbose'],
  hideSkippedTests: !everything,
})
// Starts the reporters without a run.
await vitest.standalone()
const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
  await specificationsOf(vitest, words),
  everything,
)
const results = resultsOf(testModules)
if (unhandledErrors.length > 0) {
  results.failed++
  // Not every one is an instance of Error.
  const { message = '' } = unhandledErrors[0] as { message?: string }
  results.failures.push({ title: 'Error outside of a test', message })
}
// Tests that were not selected do not count as skipped.
if (!everything) results.skipped = 0
writeFileSync(file!, JSON.stringify(results))
await vitest.close()
process.exit(results.failed > 0 ? 1 : 0)
