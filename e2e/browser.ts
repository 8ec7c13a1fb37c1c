/** Selects the browser of the tests. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const modules = join(import.meta.dirname, '../node_modules')

/** Possible paths of programs in the directories of PATH. */
const onPath = (names: string[]): string[] =>
  names.flatMap((name) =>
    (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name)),
  )

/** A headless shell paints no window, which is a third of the work of a full browser. */
const headlessShells = onPath(['chromium-headless-shell'])

const wholeBrowsers = [
  ...onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The compressed headless shell from `npm ci`. */
const packaged = join(modules, '@sparticuz/chromium')
const packagedRunsHere =
  process.platform === 'linux' && process.arch === 'x64' && existsSync(packaged)
const version = (): string =>
  JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')).version
const unpacked = (): string => join(modules, `.cache/chromium-${version()}`)

interface BrowserChoice {
  executablePath: string
  env: Record<string, string>
}

/**
 * Environment of the browser. Chromium sets these variables when it starts. A new variable moves the
 * list of all variables, and a thread that reads the list at that moment crashes the browser; a
 * variable that exists is replaced where it is.
 */
const environment = {
  ...(process.env as Record<string, string>),
  DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? 'disabled:',
  FC_FONTATIONS: '1',
  VK_ICD_FILENAMES: process.env.VK_ICD_FILENAMES ?? '',
}

/**
 * The headless shell of this system, or the one from the dependencies, or a full browser.
 * `STEADING_CHROMIUM` overrides this: the path of a browser, or `packaged` for the one from the
 * dependencies.
 */
export function chooseBrowser(): BrowserChoice {
  const wanted = process.env.STEADING_CHROMIUM
  if (wanted && wanted !== 'packaged') return { executablePath: wanted, env: environment }
  const installed = [...headlessShells, ...(packagedRunsHere ? [] : wholeBrowsers)]
  const found = wanted ? undefined : installed.find((path) => existsSync(path))
  if (found) return { executablePath: found, env: environment }
  const directory = unpacked()
  return {
    executablePath: join(directory, 'chromium'),
    // Libraries and fonts missing on a bare machine.
    env: {
      ...environment,
      LD_LIBRARY_PATH: join(directory, 'al2023/lib'),
      FONTCONFIG_PATH: join(directory, 'fonts'),
    },
  }
}

/** Whether the chosen browser is the one from the dependencies, which draws alike everywhere. */
export const isPackaged = (): boolean => chooseBrowser().executablePath.startsWith(unpacked())

/**
 * Prepares the chosen browser for launching. Must run before any worker starts.
 * @throws if there is none
 */
export function prepareBrowser(): void {
  const { executablePath } = chooseBrowser()
  if (existsSync(executablePath)) return
  const directory = unpacked()
  if (!executablePath.startsWith(directory)) {
    throw new Error(`STEADING_CHROMIUM is ${executablePath}, which does not exist`)
  }
  // Unpacked in a staging directory and then moved, so that an interrupted run leaves no partial
  // browser.
  const staging = `${directory}.${process.pid}`
  mkdirSync(staging, { recursive: true })
  const unpack = `import(${JSON.stringify(join(packaged, 'build/index.js'))}).then((m) => m.default.executablePath())`
  execFileSync(process.execPath, ['--eval', unpack], {
    // The package unpacks into the temporary directory, and its libraries only in the environment
    // of AWS Lambda.
    env: {
      ...process.env,
      TMPDIR: staging,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x',
      AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x',
    },
    stdio: 'inherit',
  })
  const fonts = join(staging, 'fonts/fonts.conf')
  writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/', `>${directory}/`))
  rmSync(directory, { recursive: true, force: true })
  renameSync(staging, directory)
}

export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** For tests of correctness, not of performance. */
export const testArguments = [
  ...launchArguments,
  // Fewer processes: communication between them is a tenth of the work.
  '--enable-features=NetworkServiceInProcess2',
  '--in-process-gpu',
  // A host name without TLS, whose pages lack the parts of secure contexts.
  '--host-resolver-rules=MAP cloud.test 127.0.0.1',
  // Proxies with TLS have certificates of their own. If a context ignores them instead, each of its
  // connections begins a request anew, and a busy browser gives up after too many beginnings.
  '--ignore-certificate-errors',
  // A page lives for a second, so optimizing for long runs never pays off.
  '--js-flags=--no-opt --no-maglev --always-sparkplug',
]
