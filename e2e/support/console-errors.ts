import { type BrowserContext, type ConsoleMessage, expect, type WebError } from '@playwright/test'

/** Errors logged by the pages of a test. Unexpected ones fail the test. */
export interface ConsoleErrors {
  expect: (pattern: RegExp) => void
}

/** Collects errors while a test runs, including violations of the content security policy. */
export async function watchConsole(
  context: BrowserContext,
  run: (errors: ConsoleErrors) => Promise<void>,
): Promise<void> {
  const seen: string[] = []
  const expected: RegExp[] = []
  const onMessage = (message: ConsoleMessage): void => {
    // Only the location identifies a failed request.
    if (message.type() === 'error') seen.push(`${message.text()} ${message.location().url}`)
  }
  const onError = (error: WebError): void => void seen.push(String(error.error()))
  context.on('console', onMessage)
  context.on('weberror', onError)
  await run({ expect: (pattern) => expected.push(pattern) })
  // Tests that change nothing share a context.
  context.off('console', onMessage)
  context.off('weberror', onError)
  const surprising = seen.filter((text) => !expected.some((pattern) => pattern.test(text)))
  expect(surprising, 'errors in the browser console').toEqual([])
}
