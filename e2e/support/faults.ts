/** What the console shows when something goes wrong. */
import type { Locator, Page } from '@playwright/test'

/** Over the page while the server cannot be reached. */
export const lostNotice = (page: Page): Locator =>
  page.getByRole('status').filter({ hasText: 'No connection' })

/** In the place of what could not be loaded. */
export const missing = (page: Page): Locator => page.getByRole('main').getByRole('alert')

export const sidebarLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Sidebar navigation' }).getByRole('link', { name })

export const liveSign = (page: Page): Locator => page.getByText('Live', { exact: true })
