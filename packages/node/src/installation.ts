/** Parts of this installation: beside the sources in a checkout, beside the bundle in a package. */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** The extension of the running modules: the bundler turns the sources into JavaScript. */
const extension = extname(import.meta.filename)
const isCheckout = extension === '.ts'
const root = join(import.meta.dirname, isCheckout ? '../../..' : '..')

export const installation = {
  console: join(root, isCheckout ? 'packages/console/dist' : 'console'),
  docs: join(root, isCheckout ? 'docs/dist' : 'docs'),
  compileCache: join(root, isCheckout ? 'node_modules/.cache/compile' : '.cache'),
  /** First words of every command line. */
  command: isCheckout ? 'npm start --' : 'steading',
  /** Advice for restoring missing parts. */
  repair: isCheckout ? 'run `npm run build`' : 'install Steading again',
}

/** Module URL of a worker, beside the running modules. */
export const workerUrl = (name: string): URL => new URL(name + extension, import.meta.url)

/** The version in the manifest of the installation. */
export function installedVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  return manifest.version
}
