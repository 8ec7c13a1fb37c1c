/** Instances whose guests count on their disks, and everything that they have reported. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import {
  countingDisk,
  faultsOf,
  RECORD_BYTES,
  RECORDS_AT,
  recordsOf,
  type Report,
  reportsIn,
} from '../../../libvirt/test/support/counting-guest.ts'
import type { EveryServer } from './every-server.ts'
import { importGuest } from './guest-snapshot.ts'
import { bootDisk } from './ordinary-server.ts'

/** Between two looks at the output of the guests. Milliseconds. */
const LOOK_MS = 500
/** Ends a wait in vain. Milliseconds. */
const HANG_MS = 600_000
/** Bytes of the output that are looked at: those of some minutes. */
const OUTPUT_BYTES = 32_768
/** Records that a guest may have written after its last report. */
const UNREPORTED = 100_000

export interface CountingInstance {
  name: string
  id: string
  /** Its reports, as users have read them. */
  reports: readonly Report[]
}

/** The number that an instance has reported last; -1 before the first one. */
export const lastNumber = ({ reports }: CountingInstance): number => reports.at(-1)?.number ?? -1

export interface CountingInstances {
  instances: readonly CountingInstance[]
  /** Reads what all of them have reported by now, as far as a server answers. */
  read: () => Promise<void>
  /** Waits until an instance counts on. */
  countsOn: (instance: CountingInstance) => Promise<void>
  /** Stops the instances, and compares their disks with what they had reported. */
  check: () => Promise<{ name: string; faults: string[]; records: number; boots: number }[]>
}

/** @param names of the instances, which restart by themselves */
export async function startCounting(
  server: EveryServer,
  names: readonly string[],
): Promise<CountingInstances> {
  const { call } = server
  const source = await importGuest(call, countingDisk())
  const instances: CountingInstance[] = []
  for (const name of names) {
    const { id } = await call<Wire.Instance>('POST', '/v1/instances?project=work', {
      name,
      description: '',
      hostname: name,
      ncpus: 1,
      memory: 1024 ** 3,
      start: true,
      auto_restart_policy: 'best_effort',
      boot_disk: {
        ...bootDisk(name, '', 1024 ** 3),
        disk_backend: { type: 'distributed', disk_source: source },
      },
    })
    instances.push({ name, id, reports: [] })
  }
  return watchCounting(server, instances)
}

/** @param before instances with what they have reported already */
export function watchCounting(
  { call, fetchBytes }: EveryServer,
  before: readonly CountingInstance[],
): CountingInstances {
  const instances = before.map(({ reports, ...instance }) => ({
    ...instance,
    reports: [...reports],
    known: new Set<string>(),
  }))
  let stopped = false
  const look = async ({ id, known, reports }: (typeof instances)[number]) => {
    const { data } = await call<Wire.SerialConsoleLog>(
      'GET',
      `/x/v1/instances/${id}/serial-console?most_recent=${OUTPUT_BYTES}`,
    )
    for (const report of reportsIn(Buffer.from(data, 'base64').toString('latin1'))) {
      const key = `${report.number} ${report.boot}`
      if (known.has(key)) continue
      known.add(key)
      reports.push(report)
    }
  }
  const read = async (): Promise<void> => {
    // A server that is killed meanwhile says nothing; the next look reads the same output.
    await Promise.all(instances.map((instance) => look(instance).catch(() => {})))
  }
  const looking = (async () => {
    while (!stopped) {
      await read()
      await pause(LOOK_MS)
    }
  })()
  const end = async () => {
    stopped = true
    await looking
  }
  onTestFinished(end)

  const stop = async ({ id }: CountingInstance): Promise<void> => {
    await call('POST', `/v1/instances/${id}/stop`)
    await until(
      () => call<Wire.Instance>('GET', `/v1/instances/${id}`),
      ({ run_state }) => expect(run_state).toBe('stopped'),
      LOOK_MS,
      HANG_MS,
    )
  }
  return {
    instances,
    read,
    async countsOn(instance) {
      const before = lastNumber(instance)
      await until(
        async () => lastNumber(instance),
        (last) => expect(last).toBeGreaterThan(before),
        LOOK_MS,
        HANG_MS,
      )
    },
    async check() {
      await Promise.all(instances.map(stop))
      for (const instance of instances) await look(instance)
      await end()
      const results = []
      for (const { name, reports } of instances) {
        const count = Math.max(0, ...reports.map(({ number }) => number)) + UNREPORTED
        const last = RECORDS_AT + count * RECORD_BYTES - 1
        const bytes = await fetchBytes(`/x/v1/disks/${name}-boot/contents?project=work`, {
          range: `bytes=${RECORDS_AT}-${last}`,
        })
        const records = recordsOf(bytes)
        const boots = new Set(records.map((record) => record?.boot)).size
        results.push({ name, faults: faultsOf(records, reports), records: records.length, boots })
      }
      return results
    },
  }
}
