/** The start and the move of an instance, against `virsh`. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '../../../packages/api/src/index.ts'
import { median } from '../median.ts'
import { type BenchHost, type HostsCloud, timed } from './cloud.ts'

const ROUNDS = 7
const COPY = 'bench-copy'
const LOG = 'console.log'

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

interface Pair {
  /** The host of the instance and of the copy. */
  host: BenchHost
  /** The directory that has those of all machines. */
  machines: string
  /** The log of the copy's console. */
  log: string
}

/** Starts an instance, and defines a copy of its domain, with files and a name of its own. */
async function openPair(
  { call, awaited, create, hosts, shared }: HostsCloud,
  name: string,
): Promise<Pair> {
  await create(name)
  await call('POST', `/v1/instances/${name}/start?project=work`)
  const [host, domain, xml] = await awaited(() => {
    for (const host of hosts) {
      for (const domain of host.virsh('list', '--name').split('\n').filter(Boolean)) {
        const xml = host.virsh('dumpxml', '--inactive', domain)
        if (xml.includes(`<title>${name}</title>`)) return [host, domain, xml] as const
      }
    }
    return undefined
  })
  const folder = join(shared, `copy-of-${name}`)
  mkdirSync(folder)
  const its = /file='([^']*)\/seed.iso'/.exec(xml)![1]!
  copyFileSync(join(its, 'seed.iso'), join(folder, 'seed.iso'))
  const disk = join(folder, 'disk.qcow2')
  const file = join(folder, 'domain.xml')
  writeFileSync(
    file,
    xml
      .replaceAll(its, folder)
      .replace(/<uuid>.*<\/uuid>/, `<uuid>${crypto.randomUUID()}</uuid>`)
      .replace(/<metadata>[^]*<\/metadata>/, '')
      .replaceAll(domain.replace('steading-', ''), 'copy')
      .replace(/<name>.*<\/name>/, `<name>${COPY}</name>`)
      .replace(/(?<=<source file=')[^']*\.qcow2(?=')/, disk),
  )
  const source = /<source file='([^']*\.qcow2)'/.exec(xml)![1]!
  execFileSync('qemu-img', ['convert', '-U', '-O', 'qcow2', source, disk])
  host.virsh('define', file)
  return { host, machines: dirname(its), log: join(folder, LOG) }
}

const say = (figure: string, ours: number[], plain: number[], tool: string): void => {
  const [a, b] = [median(ours), median(plain)]
  console.log(
    `${figure}: ${a.toFixed(0)} ms, ${tool} ${b.toFixed(0)} ms, ratio ${(a / b).toFixed(2)}`,
  )
}

/** From the call that starts an instance until its first byte of output, against `virsh start`. */
export async function startFigures(cloud: HostsCloud): Promise<void> {
  const { call, create } = cloud
  const { host, machines, log } = await openPair(cloud, 'starts')
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const name = `starts-${round}`
    await create(name)
    const before = new Set(readdirSync(machines))
    const hasOutput = () =>
      readdirSync(machines).some((id) => !before.has(id) && sizeOf(join(machines, id, LOG)) > 0)
    ours.push(
      await timed(async () => {
        await call('POST', `/v1/instances/${name}/start?project=work`)
        while (!hasOutput()) await pause(1)
      }),
    )
    if (sizeOf(log) > 0) truncateSync(log)
    plain.push(
      await timed(async () => {
        host.virsh('start', COPY)
        while (sizeOf(log) === 0) await pause(1)
      }),
    )
    host.virsh('destroy', COPY)
  }
  host.virsh('undefine', COPY)
  say('the first byte of output of a started instance', ours, plain, 'virsh start')
}

/** A move, from the call until the instance runs on the other host, against `virsh migrate`. */
export async function moveFigures(cloud: HostsCloud): Promise<void> {
  const { call, awaited, hosts } = cloud
  const { host } = await openPair(cloud, 'moves')
  const { id } = await call<Wire.Instance>('GET', '/v1/instances/moves?project=work')
  const between = [host, hosts.find((each) => each !== host)!]
  host.virsh('start', COPY)
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [from, to] = [between[round % 2]!, between[(round + 1) % 2]!]
    ours.push(
      await timed(async () => {
        const place = `/x/v1/system/hardware/sleds/${from.sledId}/instances/${id}/move`
        await call('POST', place, { sled_id: to.sledId })
        await awaited(async () => {
          const { items } = await call<Wire.SledInstanceResultsPage>(
            'GET',
            `/v1/system/hardware/sleds/${to.sledId}/instances`,
          )
          return items.some((each) => each.id === id && each.state === 'running') || undefined
        })
      }),
    )
    const flags = ['--live', '--persistent', '--undefinesource', '--unsafe']
    plain.push(await timed(() => from.virsh('migrate', ...flags, COPY, to.address)))
  }
  const last = between[ROUNDS % 2]!
  last.virsh('destroy', COPY)
  last.virsh('undefine', COPY)
  say('the move of a running instance', ours, plain, 'virsh migrate')
}
