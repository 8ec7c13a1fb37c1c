import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chooseBrowser, testArguments } from './browser.ts'

const browser = chooseBrowser()
/** `npm run test:long`: also the tests with the tag `@long`, which `npm test` leaves out. */
const long = process.env.STEADING_LONG_TESTS === '1'

export default defineConfig({
  testDir: 'tests',
  // These only take pictures for people to look at (`support/pictures.ts`).
  testIgnore: process.env.STEADING_PICTURES ? [] : ['pictures/**'],
  grepInvert: long ? [] : /@long/,
  outputDir: 'test-results',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Two per processor: a test waits half of its time, for a timer or for the browser.
  workers: 2 * availableParallelism(),
  // Both only end hangs: no test may fail because a machine is slow.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'dark',
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // Tracing costs a quarter of a test's time: use `--trace=retain-on-failure` when needed.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { ...browser, args: testArguments },
  },
})
