/** Measurements of this host: processors, links and temperatures. */
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sample } from '@steading/oxql'
import type { MeasuredSled } from '@steading/control-plane/ports'
import { type Reading, type Round, samplesOf } from './samples.ts'

/** Nanoseconds of a tick, in which Linux counts the time of processors for programs. */
const TICK_NS = 1e7
const NANOSECONDS_PER_MS = 1e6

/** Times of the processors, from the text of `/proc/stat`. */
export function cpuReadings(stat: string): Reading[] {
  return [...stat.matchAll(/^cpu(\d+) (.*)$/gm)].flatMap(([, cpu, times]): Reading[] => {
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0] = times!
      .split(' ')
      .map(Number)
    const states = { user: user + nice, kernel: system, intr: irq + softirq, idle: idle + iowait }
    return Object.entries(states).map(([state, ticks]) => [
      'cpu_nsec',
      ticks * TICK_NS,
      { cpu_id: Number(cpu), state },
    ])
  })
}

/** When the host was started, from the text of `/proc/stat`. Milliseconds. */
export const bootTime = (stat: string): number => 1000 * Number(/^btime (\d+)$/m.exec(stat)?.[1])

/** Counters of the links, from the text of `/proc/net/dev`, by their names. */
export function linkReadings(dev: string): Map<string, Reading[]> {
  const lines = [...dev.matchAll(/^\s*([^\s:]+):\s*(.*)$/gm)]
  return new Map(
    lines.map(([, name, counters]) => {
      const numbers = counters!.split(/\s+/).map(Number)
      return [
        name!,
        [
          ['bytes_received', numbers[0]],
          ['packets_received', numbers[1]],
          ['errors_received', numbers[2]],
          ['bytes_sent', numbers[8]],
          ['packets_sent', numbers[9]],
          ['errors_sent', numbers[10]],
        ],
      ]
    }),
  )
}

/** The temperatures that Linux reads; degrees Celsius by the name of the sensor. */
async function temperatures(): Promise<Map<string, number>> {
  const base = '/sys/class/hwmon'
  const found = new Map<string, number>()
  for (const monitor of await readdir(base).catch((): string[] => [])) {
    const read = (name: string) =>
      readFile(join(base, monitor, name), 'utf8').then(
        (text) => text.trim(),
        () => undefined,
      )
    const files = await readdir(join(base, monitor)).catch((): string[] => [])
    const name = (await read('name')) ?? monitor
    for (const file of files.filter((one) => /^temp\d+_input$/.test(one))) {
      const millidegrees = Number(await read(file))
      if (!Number.isFinite(millidegrees)) continue
      const label = (await read(file.replace('_input', '_label'))) ?? file.replace('_input', '')
      found.set(`${name} ${label}`, millidegrees / 1000)
    }
  }
  return found
}

const fieldsOf = (sled: MeasuredSled) => ({
  rack_id: sled.rackId,
  sled_id: sled.id,
  sled_model: sled.model,
  sled_revision: sled.revision,
  sled_serial: sled.serial,
})

/** libvirt's names of the states of processors → ours. */
const states = [
  ['user', ['user']],
  ['kernel', ['kernel']],
  ['intr', ['intr']],
  ['idle', ['idle', 'iowait']],
] as const

/**
 * The processors of a host as libvirt counts them.
 * @param processors nanoseconds by state
 * @param since the start of the host; milliseconds
 */
export const processorSamples = (
  round: Round,
  sled: MeasuredSled,
  processors: readonly Readonly<Record<string, number>>[],
  since: number,
): Sample[] =>
  samplesOf(
    round,
    'sled_cpu',
    fieldsOf(sled),
    since,
    processors.flatMap((times, cpu_id) =>
      states.flatMap(([state, names]): Reading[] => {
        const known = names.flatMap((name) => times[name] ?? [])
        if (known.length === 0) return []
        return [['cpu_nsec', sum(known), { cpu_id, state }]]
      }),
    ),
  )

/** How long a host has run, by the times of its processors. Milliseconds. */
export const upTime = (processors: readonly Readonly<Record<string, number>>[]): number =>
  Math.max(0, ...processors.map((times) => sum(Object.values(times)) / NANOSECONDS_PER_MS))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

export async function hostSamples(round: Round, sled: MeasuredSled): Promise<Sample[]> {
  // The kernel answers at once, and each operation of a thread would wake this one.
  const stat = readFileSync('/proc/stat', 'utf8')
  const since = bootTime(stat)
  const fields = fieldsOf(sled)
  const links = linkReadings(readFileSync('/proc/net/dev', 'utf8'))
  const warmth = await temperatures()
  return [
    ...samplesOf(round, 'sled_cpu', fields, since, cpuReadings(stat)),
    ...[...links]
      .filter(([name]) => name !== 'lo')
      .flatMap(([link_name, readings]) =>
        samplesOf(
          round,
          'sled_data_link',
          { ...fields, kind: 'physical', link_name, zone_name: 'global' },
          since,
          readings,
        ),
      ),
    ...[...warmth].flatMap(([sensor, degrees]) =>
      samplesOf(
        round,
        'hardware_component',
        {
          rack_id: sled.rackId,
          slot: sled.slot,
          chassis_kind: 'sled',
          chassis_serial: sled.serial,
          chassis_model: sled.model,
          chassis_revision: sled.revision,
          hubris_archive_id: '',
          // The host itself reads its sensors.
          gateway_id: sled.id,
          component_kind: 'hwmon',
          component_id: sensor,
          description: sensor,
        },
        since,
        [['temperature', degrees, { sensor }]],
      ),
    ),
  ]
}
