/** A host, as its libvirt knows it. */
import type { Calls } from './connection.ts'
import type { NodeInfo } from './types.ts'

/** `virNodeInfo`: a model of 32 characters, KiB of memory, and the numbers of processors. */
const INFO_BYTES = 64
const MEMORY_AT = 32
const THREADS_AT = 40
const KIB = 1024

/** `virNodeCPUStats`: a name of 80 characters, and a number. */
const NAME_BYTES = 80
const TIME_BYTES = 88
/** More processors are not measured. */
const PROCESSORS_MAX = 256
/** More states than there are. */
const STATES_MAX = 16

const textIn = (bytes: Buffer): string => bytes.toString('latin1', 0, bytes.indexOf(0))

export async function nodeInfo({ connection, pointer, number }: Calls): Promise<NodeInfo> {
  // Memory that does not move while libvirt fills it.
  const info = Buffer.allocUnsafeSlow(INFO_BYTES)
  await number('virNodeGetInfo', connection, info)
  return {
    hostname: await pointer<string>('virConnectGetHostname', connection),
    memory: Number(info.readBigUInt64LE(MEMORY_AT)) * KIB,
    threads: info.readUInt32LE(THREADS_AT),
  }
}

/** Nanoseconds that each processor of a host has spent in each state. */
export async function processorTimes({
  connection,
  number,
}: Calls): Promise<Record<string, number>[]> {
  const info = Buffer.allocUnsafeSlow(INFO_BYTES)
  await number('virNodeGetInfo', connection, info)
  const threads = Math.min(info.readUInt32LE(THREADS_AT), PROCESSORS_MAX)
  const count = [0]
  // Without room for any state, it says how many there are.
  await number('virNodeGetCPUStats', connection, 0, Buffer.alloc(0), count, 0)
  const states = Math.min(count[0]!, STATES_MAX)
  const all: Record<string, number>[] = []
  for (let cpu = 0; cpu < threads; cpu++) {
    const found = Buffer.allocUnsafeSlow(TIME_BYTES * states)
    await number('virNodeGetCPUStats', connection, cpu, found, [states], 0)
    all.push(
      Object.fromEntries(
        Array.from({ length: states }, (_, index) => {
          const at = index * TIME_BYTES
          const end = at + NAME_BYTES
          return [textIn(found.subarray(at, end)), Number(found.readBigUInt64LE(end))]
        }),
      ),
    )
  }
  return all
}
