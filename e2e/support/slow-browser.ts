/** Pages on a slow machine, to find tests and screens that depend on its speed. */
import type { Browser, Page } from '@playwright/test'

/**
 * How many times slower the code of pages runs: `STEADING_SLOW_BROWSER=8 npm test -- <words>`. The
 * server stays as fast as it is.
 */
const rate = Number(process.env.STEADING_SLOW_BROWSER ?? 1)

async function slowDown(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
  } catch (error) {
    // Popups may close at once.
    if (!page.isClosed()) throw error
  }
}

/** Slows down all pages of a browser, as the environment says. */
export function slowDownPages(browser: Browser): void {
  if (rate <= 1) return
  browser.on('context', (context) => context.on('page', slowDown))
}
