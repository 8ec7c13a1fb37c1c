/** Starts of machines: the first byte of their output, their memory, and a hundred of them. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { domainName } from '../../../packages/libvirt/src/domain-names.ts'
import { defaultUri } from '../../../packages/libvirt/src/options.ts'
import { median } from '../median.ts'
import { type BenchEngine, guestSpec } from './engine.ts'

const ROUNDS = 7
const MANY = 100
/** Machines whose memory is measured. */
const SOME = 20

const virsh = (...args: string[]): string =>
  execFileSync('virsh', ['-q', '-c', defaultUri(), ...args], { encoding: 'utf8' })

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Milliseconds from the beginning of a start to the first byte in the log of the console. */
async function untilOutput(log: string, start: () => unknown): Promise<number> {
  const began = performance.now()
  await start()
  while (sizeOf(log) === 0) await setTimeout(1)
  return performance.now() - began
}

/** A copy of a running machine's domain, with files and a name of its own. */
async function copyDomain({ data }: BenchEngine, machineId: string) {
  const folder = join(data, 'copy')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  const its = join(data, 'libvirt/machines', machineId)
  copyFileSync(join(its, 'seed.iso'), join(folder, 'seed.iso'))
  chmodSync(join(folder, 'seed.iso'), 0o644)
  const xml = virsh('dumpxml', '--inactive', domainName(machineId))
    .replaceAll(its, folder)
    .replaceAll(
      /(?<=<(?:source mode='bind'|listen type='socket') (?:path|socket)=')[^']*\/(?=[a-z]+')/g,
      `${folder}/`,
    )
    .replaceAll(/(?<= socket=')[^']*\/(?=vnc')/g, `${folder}/`)
    .replace(/<uuid>.*<\/uuid>/, `<uuid>${crypto.randomUUID()}</uuid>`)
    .replace(/<name>.*<\/name>/, '<name>bench-copy</name>')
    .replace(/<metadata>[^]*<\/metadata>/, '')
  const file = join(folder, 'domain.xml')
  await writeFile(file, xml)
  virsh('define', file)
  return { name: 'bench-copy', log: join(folder, 'console.log') }
}

/** First byte of output: of a machine that the engine runs, and of `virsh start`. Milliseconds. */
export async function startFigures(bench: BenchEngine): Promise<void> {
  const { machines } = bench.engines
  const ours: number[] = []
  const plain: number[] = []
  const first = crypto.randomUUID()
  const spec = await guestSpec(bench, first)
  const logOf = (id: string) => join(bench.data, 'libvirt/machines', id, 'console.log')
  await untilOutput(logOf(first), () => machines.run(first, spec, 1))
  const copy = await copyDomain(bench, first)
  await machines.halt(first, 1)
  await machines.destroy(first, 1)
  for (let round = 0; round < ROUNDS; round++) {
    const id = crypto.randomUUID()
    ours.push(await untilOutput(logOf(id), () => machines.run(id, spec, 1)))
    await machines.halt(id, 1)
    await machines.destroy(id, 1)
    if (sizeOf(copy.log) > 0) truncateSync(copy.log)
    plain.push(await untilOutput(copy.log, () => virsh('start', copy.name)))
    virsh('destroy', copy.name)
  }
  virsh('undefine', copy.name)
  const [a, b] = [median(ours), median(plain)]
  console.log(
    `first byte of output: ${a.toFixed(0)} ms, virsh start ${b.toFixed(0)} ms, ratio ${(a / b).toFixed(2)}`,
  )
}

const memory = (): number => {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024
}

async function runAll(
  { engines }: BenchEngine,
  specs: ReadonlyMap<string, Awaited<ReturnType<typeof guestSpec>>>,
) {
  const { machines } = engines
  await Promise.all([...specs].map(([id, spec]) => machines.run(id, spec, 1)))
  for (const id of specs.keys()) {
    while ((await machines.observe(id)).phase !== 'running') await setTimeout(20)
  }
}

/** A hundred machines, and the memory that each one costs in the server. */
export async function manyFigures(bench: BenchEngine): Promise<void> {
  const { machines } = bench.engines
  const specs = new Map<string, Awaited<ReturnType<typeof guestSpec>>>()
  for (let made = 0; made < MANY; made++) {
    const id = crypto.randomUUID()
    specs.set(id, await guestSpec(bench, id))
  }
  globalThis.gc?.()
  const before = memory()
  await runAll(bench, new Map([...specs].slice(0, SOME)))
  globalThis.gc?.()
  console.log(`memory of the server per guest: ${((memory() - before) / SOME).toFixed(2)} MiB`)
  const began = performance.now()
  await runAll(bench, specs)
  const started = performance.now()
  await Promise.all([...specs.keys()].map((id) => machines.halt(id, 1)))
  await Promise.all([...specs.keys()].map((id) => machines.destroy(id, 1)))
  const ended = performance.now()
  const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
  console.log(
    `${MANY - SOME} more guests started in ${seconds(started - began)}, ${MANY} deleted in ${seconds(ended - started)}`,
  )
}
