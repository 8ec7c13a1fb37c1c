/**
 * The settings of an instance that clients choose and its row keeps. Answers, new instances, updates,
 * clones, templates and the specification of the machine derive from this list; a column that
 * clients set does not compile until it is here.
 */
import type { Wire } from '@steading/api'
import { JUMBO_MTU } from '@steading/api/rules'
import type { MachineSpec } from '../../../kernel/ports/machines.ts'
import type { InstanceTable } from './table.ts'

interface Setting<Column extends keyof InstanceTable> {
  /** It stays as it was created. */
  fixed?: true
  /** It changes only without a machine (control plane 6.4). */
  resizes?: true
  /** The part of the machine's specification; null for what the machine does not know. */
  machine: ((value: InstanceTable[Column]) => Partial<MachineSpec>) | null
}

/** Names and user data are read and written in ways of their own. */
type Special = 'name' | 'description' | 'user_data'
type Name = Exclude<Extract<keyof Wire.InstanceCreate, keyof InstanceTable>, Special>
type Settings = { [Column in Name]: Setting<Column> }

const settings = {
  hostname: { fixed: true, machine: (hostname) => ({ hostname }) },
  ncpus: { resizes: true, machine: (ncpus) => ({ ncpus }) },
  memory: { resizes: true, machine: (memory) => ({ memory }) },
  // Decides which sleds may run the machine.
  cpu_platform: { resizes: true, machine: null },
  // Decides what happens after a failure.
  auto_restart_policy: { machine: null },
  enable_jumbo_frames: { machine: (enabled) => (enabled === 1 ? { mtu: JUMBO_MTU } : {}) },
} as const satisfies Settings

export const settingColumns = Object.keys(settings) as Name[]
const flags = ['enable_jumbo_frames'] as const satisfies Name[]
type Flag = (typeof flags)[number]

type Columns = Pick<InstanceTable, Name>
type Values = Pick<Wire.InstanceCreate, Name>
/** The settings that an update replaces. */
type Changeable = Exclude<Name, 'hostname'>

const isFlag = (name: Name): name is Flag => (flags as readonly Name[]).includes(name)

/** The settings of an instance, as clients see them. */
export const settingsOf = (row: Columns): Values =>
  Object.fromEntries(
    settingColumns.map((name) => [name, isFlag(name) ? row[name] === 1 : row[name]]),
  ) as unknown as Values

/** The columns of settings that a client chose; those that stay are left out of an update. */
export const columnsOf = <Chosen extends Pick<Values, Changeable>>(
  chosen: Chosen,
): Pick<Columns, Name & keyof Chosen> =>
  Object.fromEntries(
    settingColumns
      .filter((name) => name in chosen)
      .map((name) => {
        const value = (chosen as Partial<Values>)[name]
        return [name, isFlag(name) ? (value ? 1 : 0) : value]
      }),
  ) as Pick<Columns, Name & keyof Chosen>

/** Whether a change of settings needs an instance without a machine. */
export const isResize = (row: Columns, changed: Pick<Columns, Changeable>): boolean =>
  settingColumns.some(
    (name) => 'resizes' in settings[name] && row[name] !== (changed as Partial<Columns>)[name],
  )

/** What the machine of an instance knows of the settings. */
export const machineSettings = (
  row: Columns,
): Pick<MachineSpec, 'hostname' | 'ncpus' | 'memory' | 'mtu'> =>
  Object.assign(
    {},
    ...settingColumns.map((name) => {
      const { machine } = settings[name] as Setting<Name>
      return machine?.(row[name])
    }),
  )
