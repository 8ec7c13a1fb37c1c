/** Third-party packages in a release, with their license notices. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../processes.ts'

/** A third-party package in a release. */
export interface Shipped {
  name: string
  version: string
  /** An SPDX expression. */
  license: string
  /** Digest of its archive in the lockfile, as `sha512-…`. */
  integrity: string
  /** Text of the license and notices. */
  notice: string
}

/** Licenses that permit redistribution in a release. */
const permitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // The license of this project as well.
  'MPL-2.0',
  'OFL-1.1',
])

interface Manifest {
  name: string
  version: string
  license?: string
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

const lock = read<{ packages: Record<string, { integrity?: string }> }>(
  join(root, 'package-lock.json'),
)

/** License texts in a folder, shortest name first. */
function noticeIn(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[sc]e|copying|notice)/i.test(name))
  const texts = names
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.join('\n\n')
}

/**
 * Describes packages by their folders below `node_modules`.
 * @throws if a license does not permit redistribution
 */
export function describePackages(folders: readonly string[]): Shipped[] {
  const described = folders.map((folder) => {
    const path = join(root, 'node_modules', folder)
    const { name, version, license = 'unknown' } = read<Manifest>(join(path, 'package.json'))
    if (!permitted.has(license)) {
      throw new Error(`${name} ${version} has the license ${license}, which is not permitted`)
    }
    const { integrity } = lock.packages[`node_modules/${folder}`] ?? {}
    if (integrity === undefined) throw new Error(`${name} is not in the lockfile`)
    return { name, version, license, integrity, notice: noticeIn(path) }
  })
  // A package may be in several folders.
  const unique = new Map(described.map((each) => [`${each.name}@${each.version}`, each]))
  return [...unique.keys()].toSorted().map((key) => unique.get(key)!)
}

/** Third-party notices; packages with the same text share it. */
export function noticesOf(shipped: readonly Shipped[]): string {
  const byText = Map.groupBy(shipped, ({ notice, license }) =>
    notice === '' ? `License: ${license}` : notice,
  )
  const sections = [...byText].map(([text, packages]) => {
    const names = packages.map(({ name, version, license }) => `${name} ${version} (${license})`)
    return `${names.join('\n')}\n\n${text}`
  })
  return `${['Steading contains code of these packages, under their licenses.', ...sections].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  )}\n`
}

/** A bill of materials in CycloneDX format. */
export function billOf(
  product: { name: string; version: string },
  shipped: readonly Shipped[],
): object {
  const reference = (name: string, version: string) =>
    `pkg:npm/${name.replace('@', '%40')}@${version}`
  const own = reference(product.name, product.version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        ...product,
        purl: own,
        licenses: [{ license: { id: 'MPL-2.0' } }],
      },
    },
    components: shipped.map(({ name, version, license, integrity }) => ({
      type: 'library',
      'bom-ref': reference(name, version),
      name,
      version,
      purl: reference(name, version),
      licenses: [{ license: { id: license } }],
      hashes: [
        {
          alg: 'SHA-512',
          content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
        },
      ],
    })),
    dependencies: [
      { ref: own, dependsOn: shipped.map(({ name, version }) => reference(name, version)) },
      ...shipped.map(({ name, version }) => ({ ref: reference(name, version) })),
    ],
  }
}
