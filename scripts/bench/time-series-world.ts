/** 10,000 series like those of 500 instances with their disks and interfaces. */
import { createHash } from 'node:crypto'
import type { FieldValue, Sample } from '@steading/oxql'

const INSTANCES = 500
const VCPUS = 2
const STATES = ['emulation', 'idle', 'run', 'waiting']
export const TICK_MS = 5_000

const id = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Reproducible pseudorandom integers from 0 below a limit. */
let seed = 1
function random(limit: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * limit)
}

interface Counter {
  name: string
  fields: Record<string, FieldValue>
  value: number
  grow: () => number
}

const counters: Counter[] = []
const instances = Array.from({ length: INSTANCES }, (_, index) => id(`instance ${index}`))
const disks: string[] = []
const interfaces: string[] = []

/** Grows at a nearly constant rate. */
const steady = (most: number, unit: number) => {
  const usual = 1 + random(most)
  return () => (usual + (random(8) === 0 ? random(3) : 0)) * unit
}
/** Grows by up to a limit, or pauses for a while. */
const noisy = (most: number) => () => (random(3) === 0 ? 0 : random(most))

for (const [index, instance_id] of instances.entries()) {
  const project = { project_id: id(`project ${index % 20}`), silo_id: id('silo') }
  const sled = index % 16
  const place = {
    sled_id: id(`sled ${sled}`),
    sled_model: 'model',
    sled_revision: 3,
    sled_serial: `BRM${1000 + sled}`,
  }
  for (let vcpu_id = 0; vcpu_id < VCPUS; vcpu_id++) {
    for (const state of STATES) {
      counters.push({
        name: 'virtual_machine:vcpu_usage',
        fields: { instance_id, ...project, ...place, state, vcpu_id },
        value: 0,
        grow: noisy(2e9),
      })
    }
  }
  for (let disk = 0; disk < 2; disk++) {
    const disk_id = id(`disk ${index} ${disk}`)
    disks.push(disk_id)
    const fields = { attached_instance_id: instance_id, block_size: 512, disk_id, ...project }
    for (const [metric, grow] of [
      ['bytes_read', steady(2_000, 512)],
      ['bytes_written', steady(2_000, 4096)],
      ['reads', steady(500, 1)],
      ['flushes', steady(20, 1)],
    ] as const) {
      counters.push({ name: `virtual_disk:${metric}`, fields, value: 0, grow })
    }
  }
  const interface_id = id(`interface ${index}`)
  interfaces.push(interface_id)
  const fields = { instance_id, interface_id, ...project }
  for (const [metric, grow] of [
    ['bytes_received', noisy(1e6)],
    ['bytes_sent', noisy(1e6)],
    ['packets_received', steady(800, 1)],
    ['packets_sent', steady(800, 1)],
  ] as const) {
    counters.push({ name: `instance_network_interface:${metric}`, fields, value: 0, grow })
  }
}

export const world = {
  series: counters.length,
  instances,
  disks,
  interfaces,
  names: {
    regular: ['virtual_disk:bytes_read', 'virtual_disk:reads', 'virtual_disk:flushes'],
    noisy: ['virtual_machine:vcpu_usage', 'instance_network_interface:bytes_received'],
  },
}

/** Samples of one time; counters grow with each call. */
export const tickOf = (tick: number, begin: number): Sample[] =>
  counters.map((counter) => {
    // Each filling starts over.
    counter.value = tick === 0 ? counter.grow() : counter.value + counter.grow()
    const timestamp = begin + tick * TICK_MS
    return {
      name: counter.name,
      fields: counter.fields,
      timestamp,
      startTime: begin - 1_000,
      datum: counter.value,
    }
  })
