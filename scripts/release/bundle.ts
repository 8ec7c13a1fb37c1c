/** Bundles the server, so that it needs neither installed packages nor TypeScript. */
import { chmodSync, cpSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import libvirt from '../../packages/libvirt/package.json' with { type: 'json' }
import { packagesOf } from '../packages.ts'
import { root } from '../processes.ts'

/** Optional modules that are not used: the native variant of the PostgreSQL driver. */
const onDemand = ['pg-native']

/**
 * Packages with compiled code, which no bundle can contain: optional dependencies of the program,
 * which npm installs for the platform.
 */
export const compiled = { koffi: libvirt.dependencies.koffi }

const sources = join(root, 'packages/node/src')

const outside = [...onDemand, ...Object.keys(compiled)]

/**
 * Bundles the server and its workers into `server`, and the launcher into `bin`. The code is not
 * minified, and has source maps without sources, so that stack traces refer to the sources when
 * Node runs with `--enable-source-maps`.
 * @returns the bundled packages
 * @throws if the bundle imports anything outside of it
 */
export async function bundleServer(directory: string): Promise<string[]> {
  const server = await rolldown({
    input: [
      ...['main', 'sqlite-check-worker'].map((name) => join(sources, `${name}.ts`)),
      join(root, 'packages/libvirt/src/native/libvirt-calls.ts'),
      join(root, 'packages/libvirt/src/file-systems/file-calls-process.ts'),
    ],
    platform: 'node',
    external: outside,
  })
  const { output } = await server.write({
    dir: join(directory, 'server'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  // Scripts of the host without root, which its module finds beside it.
  cpSync(join(root, 'packages/rootless/src/host'), join(directory, 'server/host'), {
    recursive: true,
  })
  const launcher = await rolldown({
    input: join(sources, 'launcher.mjs'),
    platform: 'node',
  })
  const entry = join(directory, 'bin/steading.js')
  await launcher.write({ file: entry })
  chmodSync(entry, 0o755)
  const chunks = output.filter((part) => part.type === 'chunk')
  const names = new Set([...output.map(({ fileName }) => fileName), ...outside])
  const missing = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .find((name) => !isBuiltin(name) && !names.has(name))
  if (missing !== undefined) throw new Error(`${missing} is not in the bundle`)
  return packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds))
}
