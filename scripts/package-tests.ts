/** The tests of the packages: Vitest, in this process. */
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { Counts } from './checks.ts'
import { root } from './processes.ts'
import { titlePattern, wordsOutside } from './words.ts'

function countTests(modules: readonly TestModule[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    // A file that could not be imported, or whose hooks fail, has no failed test to tell of it.
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

/** The files whose path has all words, and of the others the tests whose titles have the rest. */
async function specificationsOf(vitest: Vitest, words: readonly string[]) {
  const all = await vitest.globTestSpecifications()
  return all.map(({ project, moduleId }) => {
    const rest = wordsOutside(moduleId.slice(root.length), words)
    return project.createSpecification(moduleId, {
      testNamePattern: rest.length > 0 ? titlePattern(rest) : undefined,
    })
  })
}

/** Runs what has all the words in its path and title; without words, everything. */
export async function runPackageTests(words: readonly string[]): Promise<Counts> {
  const everything = words.length === 0
  const vitest = await createVitest('test', {
    root,
    watch: false,
    reporters: [everything ? 'default' : 'verbose'],
    hideSkippedTests: !everything,
  })
  try {
    // The reporters, without a run.
    await vitest.standalone()
    const specifications = await specificationsOf(vitest, words)
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      specifications,
      everything,
    )
    const counts = countTests(testModules)
    if (unhandledErrors.length > 0) counts.failed += 1
    // What was not asked for was not skipped.
    return everything ? counts : { ...counts, skipped: 0 }
  } finally {
    await vitest.close()
  }
}
