import { type BrowserContext, expect } from '@playwright/test'

/** Errors that the pages of a test have logged. Unexpected ones fail the test. */
export interface ConsoleErrors {
  expect: (pattern: RegExp) => void
}

/** Collects errors, among them violations of the content policy, while a test runs. */
export async function watchConsole(
  context: BrowserContext,
  run: (errors: ConsoleErrors) => Promise<void>,
): Promise<void> {
  const seen: string[] = []
  const expected: RegExp[] = []
  context.on('console', (message) => {
    // Of a failed request, only the place says which it was.
    if (message.type() === 'error') seen.push(`${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => seen.push(String(error.error())))
  await run({ expect: (pattern) => expected.push(pattern) })
  const surprising = seen.filter((text) => !expected.some((pattern) => pattern.test(text)))
  expect(surprising, 'errors in the browser console').toEqual([])
}
