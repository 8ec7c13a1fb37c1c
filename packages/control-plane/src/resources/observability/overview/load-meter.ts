/** Sums of measurements by project, silo and fleet, as they are collected. */
import { FLEET_ID } from '@steading/api/rules'
import type { Sample } from '@steading/oxql'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'

/** Measured columns of the table. */
export type Load = Partial<
  Record<
    'cpus' | 'disk_bytes' | 'network_bytes' | 'power' | 'requests' | 'cpus_provisioned',
    number
  >
>

const NANOSECONDS = 1e9

interface Counted {
  column: 'cpus' | 'disk_bytes' | 'network_bytes'
  /** Field that identifies a series besides those below. */
  of: string
  /** States in which a processor is not busy. */
  except?: readonly string[]
  /** Units of the counter in one of the column. */
  per?: number
}

/** Counters whose increase per second is summed up. */
export const counters: Readonly<Record<string, Counted>> = {
  'virtual_machine:vcpu_usage': {
    column: 'cpus',
    of: 'instance_id',
    except: ['idle', 'waiting'],
    per: NANOSECONDS,
  },
  'virtual_disk:bytes_read': { column: 'disk_bytes', of: 'disk_id' },
  'virtual_disk:bytes_written': { column: 'disk_bytes', of: 'disk_id' },
  'instance_network_interface:bytes_sent': { column: 'network_bytes', of: 'interface_id' },
  'instance_network_interface:bytes_received': { column: 'network_bytes', of: 'interface_id' },
  'sled_cpu:cpu_nsec': { column: 'cpus', of: 'sled_id', except: ['idle'], per: NANOSECONDS },
}

export const POWER = 'hardware_component:input_power'
/** Levels of the fleet, whose last values are summed up. */
const levels: Readonly<
  Record<string, { column: 'power' | 'cpus_provisioned'; of: readonly string[] }>
> = {
  [POWER]: { column: 'power', of: ['chassis_serial', 'component_id', 'sensor'] },
  'collection_target:cpus_provisioned': { column: 'cpus_provisioned', of: ['id'] },
}

/** The project and the silo of a series, or the fleet. */
export const targetsOf = ({ project_id, silo_id }: Sample['fields']): string[] =>
  project_id === undefined ? [FLEET_ID] : [String(project_id), String(silo_id)]

/** A series that is not measured for so many milliseconds has ended. */
const ENDED_AFTER = 3 * 60_000

export interface LoadMeter {
  note: (samples: readonly Sample[]) => void
  /** Adds to an amount that is averaged over the seconds between two calls of `take`. */
  add: (target: string, column: keyof Load, amount: number) => void
  /**
   * The averages since the last call, by the id of their project, silo or fleet.
   * @param at milliseconds
   */
  take: (at: number) => Promise<Map<string, Load>>
}

/** Series looked at per turn of the event loop. */
const AT_ONCE = 5_000

export function createLoadMeter(): LoadMeter {
  /** Series → its last value. */
  const last = new Map<string, { value: number; at: number }>()
  /** Increase of counters by target since the last call. */
  let increases = new Map<string, Load>()
  /** Level → its last value. */
  const present = new Map<string, { column: keyof Load; value: number; at: number }>()
  let since: number | undefined

  const add = (target: string, column: keyof Load, value: number) => {
    const load = increases.get(target) ?? {}
    load[column] = (load[column] ?? 0) + value
    increases.set(target, load)
  }

  function count({ name, fields, datum, timestamp: at }: Sample, counted: Counted): void {
    const { state = '', vcpu_id = '', cpu_id = '' } = fields
    if (typeof datum !== 'number' || counted.except?.includes(String(state))) return
    const key = `${name} ${fields[counted.of]} ${state} ${vcpu_id}${cpu_id}`
    const before = last.get(key)
    last.set(key, { value: datum, at })
    if (!before) return
    // A counter that restarted began at zero.
    const increase = datum >= before.value ? datum - before.value : datum
    const value = increase / (counted.per ?? 1)
    for (const target of targetsOf(fields)) add(target, counted.column, value)
  }

  function level({ name, fields, datum, timestamp: at }: Sample): void {
    const declared = levels[name]
    // The silos are among the targets of the provisioned capacity, beside the whole fleet.
    if (!declared || typeof datum !== 'number' || (fields.id ?? FLEET_ID) !== FLEET_ID) return
    const key = `${name} ${declared.of.map((field) => fields[field]).join(' ')}`
    present.set(key, { column: declared.column, value: datum, at })
  }

  return {
    add,
    note(samples) {
      for (const sample of samples) {
        const counted = counters[sample.name]
        if (counted) count(sample, counted)
        else level(sample)
      }
    },
    async take(at) {
      let count = 0
      for (const series of [last, present]) {
        for (const [key, { at: seen }] of series) {
          if (at - seen > ENDED_AFTER) series.delete(key)
          if (++count % AT_ONCE === 0) await yieldToEventLoop()
        }
      }
      const taken = new Map<string, Load>()
      const seconds = since === undefined ? 0 : (at - since) / 1000
      since = at
      if (seconds > 0) {
        for (const [target, load] of increases) {
          taken.set(
            target,
            Object.fromEntries(Object.entries(load).map(([name, sum]) => [name, sum / seconds])),
          )
        }
        const fleet: Load = { ...taken.get(FLEET_ID) }
        for (const { column, value } of present.values())
          fleet[column] = (fleet[column] ?? 0) + value
        taken.set(FLEET_ID, fleet)
      }
      increases = new Map()
      return taken
    },
  }
}
