import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chooseBrowser, testArguments } from './browser.ts'

const browser = chooseBrowser()
const { STEADING_LONG_TESTS, STEADING_PICTURES, STEADING_DOCS_PICTURES } = process.env
/** `npm run test:long` and pictures: also the tests tagged `@long`, which `npm test` leaves out. */
const long = [STEADING_LONG_TESTS === '1', STEADING_PICTURES, STEADING_DOCS_PICTURES].some(Boolean)

export default defineConfig({
  testDir: 'tests',
  // Node reads these itself, without a compilation that takes ten seconds in a new checkout.
  build: { external: ['**/packages/**', '**/scripts/**'] },
  // These only take pictures for people to look at (`support/pictures.ts`).
  testIgnore: STEADING_PICTURES ? [] : ['pictures/**'],
  grepInvert: long ? [] : /@long/,
  outputDir: 'test-results',
  snapshotPathTemplate: 'gallery/{arg}{ext}',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // A test waits half of its time, for a timer or for the browser.
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
