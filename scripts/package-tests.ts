/**
 * Tests of the packages with all the words in path and title; all tests without words. A separate
 * process, because Vite sets environment variables that would affect a build.
 *
 * Usage: `node scripts/package-tests.ts <file for the counts> [words]`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { Counts } from './checks.ts'
import { root } from './processes.ts'
import { titlePattern, wordsOutside } from './words.ts'

function countTests(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    // A file that fails to import, or whose hooks fail, has no failed test.
    let failed = module.state() === 'failed' ? 1 : 0
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'failed') failed = 0
      if (state !== 'pending') counts[state]++
    }
    counts.failed += failed
  }
  return counts
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

/** Files whose path has all words, and in other files the tests whose titles have the rest. */
async function specificationsOf(vitest: Vitest, words: readonly string[]) {
  const all = await vitest.globTestSpecifications()
  return all.flatMap(({ project, moduleId }) => {
    const rest = wordsOutside(moduleId.slice(root.length), words)
    const testNamePattern = rest.length > 0 ? titlePattern(rest) : undefined
    return mayHave(moduleId, rest) ? project.createSpecification(moduleId, { testNamePattern }) : []
  })
}

const [file, ...words] = process.argv.slice(2)
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
const counts = countTests(testModules)
if (unhandledErrors.length > 0) counts.failed++
// Tests that were not selected do not count as skipped.
if (!everything) counts.skipped = 0
writeFileSync(file!, JSON.stringify(counts))
await vitest.close()
process.exit(counts.failed > 0 ? 1 : 0)
