/** The console's error messages, and injected failures. */
import type { Locator, Page, Route } from '@playwright/test'

/** Notice over the page while the server cannot be reached. */
export const lostNotice = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: 'No connection' })

/** Alert in place of content that could not be loaded. */
export const missing = (page: Page): Locator => page.getByRole('main').getByRole('alert')

export const sidebarLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Sidebar navigation' }).getByRole('link', { name })

export const liveSign = (page: Page): Locator => page.getByText('Live', { exact: true })

/**
 * Intercepts some requests until the returned function is called. Playwright's own `unroute` leaves
 * pending requests without an answer.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<() => void> {
  let ended = false
  await page.route(url, (route) => (ended ? route.fallback() : handle(route)))
  return () => {
    ended = true
  }
}

/** Request ID of failed calls. */
export const FAILED_REQUEST = 'e4b4c9bb-9e7c-4a6c-8c1d-4ad2b8e0a001'

/** Makes calls to a path fail until the returned function is called. */
export function fail(page: Page, path: RegExp, status = 500): Promise<() => void> {
  const json = { message: 'It has come loose', request_id: FAILED_REQUEST }
  return intercept(page, path, (route) => route.fulfill({ status, json }))
}

/** Holds back the answers to some requests until released. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}
