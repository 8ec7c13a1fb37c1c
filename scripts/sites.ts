/** Builds the browser parts if necessary. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { run, root } from './processes.ts'
import { packagesOf } from './packages.ts'

/** A browser part with its build in `dist`. */
export interface Site {
  name: string
  directory: string
  /** Files and folders, from the root, that affect the result. */
  inputs: string[]
  /** @returns paths of the bundled modules and files */
  build: (site: Site, staging: string) => Promise<string[]>
}

const shared = ['package-lock.json', 'packages/api/src', 'scripts/packages.ts', 'scripts/sites.ts']

/** The console, the gallery and the demo. */
async function buildWithVite(site: Site, staging: string): Promise<string[]> {
  const { build } = await import('vite')
  const built = await build({
    configFile: join(site.directory, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
    // The benchmark measures the size of pages.
    build: { outDir: staging, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
  })
  versionUnhashed(site, staging)
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return [
    ...outputs.flatMap((part) =>
      part.type === 'chunk'
        ? part.moduleIds
        : part.originalFileNames.map((file) => join(site.directory, file)),
    ),
    // Its style sheet is not a separate module.
    join(root, 'node_modules/tailwindcss/index.css'),
  ]
}

/** The documentation, for the product and the demo. */
export const docsSite: Site = {
  name: 'docs',
  directory: join(root, 'docs'),
  inputs: [
    ...shared,
    'docs',
    'packages/api/openapi.json',
    'packages/console/public/assets',
    'packages/console/src/ui/tokens.css',
    'package.json',
    'packages/node/src/commands.ts',
    'packages/node/src/config.ts',
    'packages/node/src/help.ts',
    'packages/node/src/node-version.mjs',
  ],
  async build(_, staging) {
    const { buildDocs } = await import('../docs/site/build.ts')
    return buildDocs(staging)
  },
}

export const consoleSite: Site = {
  name: 'console',
  directory: join(root, 'packages/console'),
  inputs: [...shared, 'packages/console'],
  build: buildWithVite,
}

export const demoSite: Site = {
  name: 'demo',
  directory: join(root, 'packages/demo'),
  inputs: [
    ...shared,
    'packages/console',
    'packages/control-plane/src',
    'packages/demo',
    'packages/network/src',
    'packages/oxql/src',
    'packages/simulator/src',
    'packages/time-series/src',
    'packages/tuf/src',
  ],
  build: buildWithVite,
}

/** Every component of the design system, for the demo. */
export const gallerySite: Site = {
  name: 'gallery',
  directory: join(root, 'packages/console/gallery'),
  inputs: [
    ...shared,
    'packages/console/gallery',
    'packages/console/public/assets/favicon.svg',
    'packages/console/src/shell/shell.css',
    'packages/console/src/tenancy/utilization',
    'packages/console/src/ui',
  ],
  build: buildWithVite,
}

/** All sites, in the order of their builds. */
export const sites: Site[] = [docsSite, gallerySite, consoleSite, demoSite]

export const distOf = (site: Site): string => join(site.directory, 'dist')
/** File in the build with the fingerprint of its sources. */
const STAMP = '.stamp'
/** File in the build with the list of bundled packages. */
const PACKAGES = '.packages.json'
/** Packages bundled in a built site. */
export const packagesIn = (site: Site): string[] =>
  JSON.parse(readFileSync(join(distOf(site), PACKAGES), 'utf8')) as string[]
const stampOf = (site: Site): string => join(distOf(site), STAMP)

/** Folders that affect no site which contains them; the gallery is a site of its own. */
const apart = new Set(['dist', 'gallery', 'node_modules', 'test'])

function* filesBelow(path: string): Generator<string> {
  const entries = readdirSync(path, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (apart.has(entry.name)) continue
    const child = join(path, entry.name)
    if (entry.isDirectory()) yield* filesBelow(child)
    else yield child
  }
}

/**
 * Hash of the contents instead of times, because a checkout changes the times of unchanged files.
 */
function fingerprint(site: Site): string {
  const hash = createHash('sha256')
  for (const input of site.inputs) {
    const path = join(root, input)
    if (!existsSync(path)) continue
    for (const file of extname(path) ? [path] : filesBelow(path)) {
      hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** Whether there is anything to build. */
export const exists = (site: Site): boolean => existsSync(site.directory)

/** Whether the build is missing or of other sources. */
export function isStale(site: Site): boolean {
  return !existsSync(stampOf(site)) || readFileSync(stampOf(site), 'utf8') !== fingerprint(site)
}

/**
 * Files of `public/assets` keep their names, but everything below `/assets/` is cached for a year;
 * so the page adds a content hash to their URLs.
 */
function versionUnhashed(site: Site, dist: string): void {
  const folder = join(site.directory, 'public/assets')
  const page = join(dist, 'index.html')
  if (!existsSync(folder)) return
  let html = readFileSync(page, 'utf8')
  for (const file of readdirSync(folder)) {
    const content = readFileSync(join(folder, file))
    const version = createHash('sha256').update(content).digest('hex').slice(0, 8)
    html = html.replaceAll(`"/assets/${file}"`, `"/assets/${file}?v=${version}"`)
  }
  writeFileSync(page, html)
}

const compressible = new Set(['.css', '.html', '.js', '.json', '.sqlite3', '.svg', '.wasm'])
const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

/** Writes `.br` and `.gz` variants of all files that become smaller. */
async function precompress(dist: string): Promise<void> {
  const files = [...filesBelow(dist)].filter((file) => compressible.has(extname(file)))
  await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file)
      const variants = {
        '.br': await brotli(content, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
        }),
        '.gz': await gz(content, { level: constants.Z_BEST_COMPRESSION }),
      }
      for (const [suffix, compressed] of Object.entries(variants)) {
        if (compressed.length < content.length * 0.9) await writeFile(file + suffix, compressed)
      }
    }),
  )
}

/**
 * Makes files readable by every user, because the server may run as another one than the build:
 * `npm start` has a strict umask, and copies keep the modes of the sources.
 */
export function makeReadable(path: string): void {
  chmodSync(path, 0o755)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) makeReadable(child)
    else chmodSync(child, 0o644)
  }
}

/**
 * Any static file server can host the demo, so it includes the documentation and the gallery as
 * files.
 */
function putPartsIntoDemo(): void {
  for (const part of [docsSite, gallerySite]) {
    const target = join(distOf(demoSite), part.name)
    if (!existsSync(distOf(demoSite)) || !existsSync(distOf(part))) continue
    rmSync(target, { recursive: true, force: true })
    cpSync(distOf(part), target, { recursive: true })
    makeReadable(target)
  }
}

/**
 * Builds in a staging folder and moves the result, so that an aborted build, or two at a time,
 * leave no partial one.
 * @throws if the build fails
 */
export async function buildSite(site: Site): Promise<void> {
  // Computed first: an edit during the build leaves the result stale.
  const stamp = fingerprint(site)
  const staging = join(root, `node_modules/.cache/build-${site.name}-${process.pid}`)
  try {
    const modules = await site.build(site, staging)
    await precompress(staging)
    writeFileSync(join(staging, PACKAGES), JSON.stringify(packagesOf(modules)))
    writeFileSync(join(staging, STAMP), stamp)
    makeReadable(staging)
    rmSync(distOf(site), { recursive: true, force: true })
    renameSync(staging, distOf(site))
    // The console and the demo are built side by side.
    if (site !== consoleSite) putPartsIntoDemo()
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Builds a stale site in a separate process, so that the memory of the bundler is freed.
 * @returns whether the site is now up to date
 */
export async function refresh(site: Site): Promise<boolean> {
  if (!isStale(site)) return true
  console.log(`Building the ${site.name}…`)
  return (await run(process.execPath, [join(import.meta.dirname, 'build.ts'), site.name])) === 0
}
