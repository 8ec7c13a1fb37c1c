/** Bundles the server, so that it needs no package beside it and no TypeScript. */
import { chmodSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { packagesOf } from '../packages.ts'
import { root } from '../processes.ts'

/** Modules that their users do without: the native variant of the driver for PostgreSQL. */
const onDemand = ['pg-native']

const sources = join(root, 'packages/node/src')

/**
 * Bundles the server and its workers into `server`, and the launcher into `bin`. The code is not
 * minified, and has maps without sources, so that traces of errors lead to the sources when Node runs
 * with `--enable-source-maps`.
 * @returns the packages that the bundle has parts of
 * @throws if the bundle imports anything beside it
 */
export async function bundleServer(directory: string): Promise<string[]> {
  const server = await rolldown({
    input: ['main', 'sqlite-check-worker'].map((name) => join(sources, `${name}.ts`)),
    platform: 'node',
    external: onDemand,
  })
  const { output } = await server.write({
    dir: join(directory, 'server'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  const launcher = await rolldown({
    input: join(sources, 'launcher.mjs'),
    platform: 'node',
  })
  const entry = join(directory, 'bin/steading.js')
  await launcher.write({ file: entry })
  chmodSync(entry, 0o755)
  const chunks = output.filter((part) => part.type === 'chunk')
  const names = new Set([...output.map(({ fileName }) => fileName), ...onDemand])
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .find((name) => !isBuiltin(name) && !names.has(name))
  if (missing !== undefined) throw new Error(`${missing} is not in the bundle`)
  return packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds))
}
