/** What the lights of a picture stand for, in words, and the pages that they lead to. */
import type { InstanceLight, Lights, LightUnit, PhysicalDiskLight } from '@steading/api/client'
import { instanceTone } from '../../compute/instances/instance-cells.tsx'
import { pathTo } from '../../data/addresses.ts'
import { physicalDiskTones, sledTones } from '../../hardware/inventory/conditions.ts'
import type { StateTone } from '../../ui/state-badge.tsx'

export interface Light {
  id: string
  kind: 'sled' | 'project' | 'instance' | 'disk'
  name: string
  /** State in words; empty for a project, which has none. */
  state: string
  tone: StateTone | undefined
  /** Where it is: "mill on BRM-0001". */
  place: string
  /** Page that it leads to; undefined where the user may open none. */
  path: string | undefined
}

export interface LitUnit {
  light: Light
  group: string | null
  instances: Light[]
  disks: Light[]
  /** Instances and disks without a light. */
  more: number
}

const inWords = (state: string): string => state.replaceAll('_', ' ')

const sledPath = (tab: 'instances' | 'disks', sledId: string) =>
  pathTo(`/system/inventory/sleds/$sledId/${tab}`, { sledId })

function instanceLight(
  { id, name, state, project, silo }: InstanceLight,
  unit: LightUnit,
  { of, silo: own }: Viewer,
): Light {
  const instance = { project, instance: name }
  const isOwn = silo === own
  // Operators see instances of other silos on the page of their sled only.
  const elsewhere = of === 'fleet' ? sledPath('instances', unit.id) : undefined
  const where = isOwn ? project : `${silo} / ${project}`
  return {
    id,
    kind: 'instance',
    name,
    state: inWords(state),
    tone: instanceTone[state],
    place: of === 'silo' ? project : `${where} on ${unit.name}`,
    path: isOwn ? pathTo('/projects/$project/instances/$instance/storage', instance) : elsewhere,
  }
}

const diskLight = ({ id, name, condition }: PhysicalDiskLight, unit: LightUnit): Light => ({
  id,
  kind: 'disk',
  name,
  state: inWords(condition),
  tone: physicalDiskTones[condition],
  place: `Disk of ${unit.name}`,
  path: sledPath('disks', unit.id),
})

function unitLight({ id, name, condition, maintenance }: LightUnit): Light {
  if (condition === null) {
    const path = pathTo('/projects/$project/instances', { project: name })
    return { id, kind: 'project', name, state: '', tone: undefined, place: 'Project', path }
  }
  const isMaintained = maintenance && condition !== 'not_responding'
  return {
    id,
    kind: 'sled',
    name,
    state: isMaintained ? 'in maintenance' : inWords(condition),
    tone: isMaintained ? 'attention' : sledTones[condition],
    place: 'Sled',
    path: sledPath('instances', id),
  }
}

/** Who looks at which picture. */
export interface Viewer {
  of: 'fleet' | 'silo' | 'sled'
  /** The user's own silo. */
  silo: string
}

export const unitsOf = ({ units }: Lights, viewer: Viewer): LitUnit[] =>
  units.map((unit) => ({
    light: unitLight(unit),
    group: unit.rackId,
    instances: unit.instances.map((one) => instanceLight(one, unit, viewer)),
    disks: unit.disks.map((disk) => diskLight(disk, unit)),
    more: unit.more,
  }))

export const wordsOf = ({ name, state, place }: Light): string =>
  [name, state, place].filter(Boolean).join(', ')

/** Number of lights of each meaning, the worst first, for the legend. */
export function countsOf(
  units: readonly LitUnit[],
): { tone: StateTone; text: string; count: number }[] {
  const order: StateTone[] = ['failed', 'attention', 'works', 'changing', 'off']
  const counts = new Map<string, { tone: StateTone; text: string; count: number }>()
  const add = ({ tone, state }: Light, noun?: string) => {
    if (!tone) return
    const word = tone === 'changing' ? 'changing' : state
    const key = `${noun} ${word}`
    const count = (counts.get(key)?.count ?? 0) + 1
    const text = noun ? `${count === 1 ? noun : `${noun}s`} ${word}` : word
    counts.set(key, { tone, text, count })
  }
  for (const { light, instances, disks } of units) {
    for (const instance of instances) add(instance)
    // Only where something is unusual: there are many of them.
    if (light.tone !== 'works') add(light, 'sled')
    for (const disk of disks) if (disk.tone !== 'works') add(disk, 'disk')
  }
  return [...counts.values()].toSorted(
    (one, other) => order.indexOf(one.tone) - order.indexOf(other.tone),
  )
}
