/** Guests whose agents never answer a request to freeze their file systems. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GiB } from '../../../packages/api/src/rules.ts'
import { guestsMissing, smallImage } from '../../../packages/libvirt/test/support/small-image.ts'
import { root } from '../../processes.ts'
import { password } from '../host.ts'
import { median } from '../median.ts'
import { diskPath, upload } from './images.ts'
import { type Load, PROJECT, reached, removeInstances, tally, type World } from './world.ts'

/** As many as libuv has threads. */
const names = ['silent-1', 'silent-2', 'silent-3', 'silent-4']
const IMAGE = 'silent'
/** Sign-ins of the idle server. */
const IDLE_SIGN_INS = 5

const query = `project=${PROJECT}`

/** Why these guests do not run here. */
const reasonAgainst = ({ engine }: World): string | undefined =>
  engine === 'simulated' ? 'simulated guests have no agent' : guestsMissing()

/** An agent in a guest that ignores each request to freeze. */
function silentAgent(): string {
  const file = join(root, 'packages/libvirt/test/support/agent.sh')
  const ways = Array.from({ length: 50 }, () => 'freeze:silent').join(' ')
  return Buffer.from(readFileSync(file, 'utf8').replace('WAYS', ways)).toString('base64')
}

async function runGuests(world: World): Promise<void> {
  const { admin } = world
  await upload(world, IMAGE, readFileSync(smallImage()))
  await admin('POST', diskPath(IMAGE, '/finalize'), { snapshot_name: IMAGE })
  const snapshot = async () => (await admin('GET', `/v1/snapshots/${IMAGE}?${query}`)).body
  const imported = async () => (await admin('GET', diskPath(IMAGE))).body.state.state === 'detached'
  await reached('the end of the import', imported)
  const { id } = await snapshot()
  for (const name of names) {
    await admin('POST', `/v1/instances?${query}`, {
      name,
      hostname: name,
      description: '',
      ncpus: 1,
      memory: GiB,
      user_data: silentAgent(),
      network_interfaces: { type: 'none' },
      boot_disk: {
        type: 'create',
        name,
        description: '',
        size: GiB,
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'snapshot', snapshot_id: id, read_only: false },
        },
      },
    })
  }
  for (const name of names) {
    const path = `/v1/instances/${name}/serial-console?${query}&from_start=0&max_bytes=1048576`
    await reached(`the agent of ${name}`, async () => {
      // There is no console before its machine runs.
      const { data = [] } = (await world.attacker('GET', path)).body
      return Buffer.from(data as number[]).includes('The agent is ready')
    })
  }
}

/** Milliseconds of one sign-in of another user. */
async function signInTime({ url }: World): Promise<number> {
  const began = performance.now()
  const answer = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bystander', password }),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}`)
  return performance.now() - began
}

/** Also before there is a snapshot. */
const isUnfinished = (state: string): boolean => !['ready', 'faulted'].includes(state)

export const silentAgents: Load = {
  async prepare(world) {
    if (reasonAgainst(world) === undefined) await runGuests(world)
  },
  async apply(world, signal) {
    const reason = reasonAgainst(world)
    if (reason !== undefined) return `left out: ${reason}`
    const idle: number[] = []
    while (idle.length < IDLE_SIGN_INS) idle.push(await signInTime(world))
    const began = performance.now()
    const asked = Promise.all(
      names.map((disk) =>
        world.attacker('POST', `/v1/snapshots?${query}`, { name: disk, description: '', disk }),
      ),
    )
    const during: number[] = []
    let states: string[]
    do {
      during.push(await signInTime(world))
      states = await Promise.all(
        names.map(async (name) =>
          String((await world.attacker('GET', `/v1/snapshots/${name}?${query}`)).body.state),
        ),
      )
    } while (states.some(isUnfinished) && !signal.aborted)
    await asked
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const usual = median(idle)
    const figure = (name: string, ms: number) =>
      `${name} ${Math.round(ms)} ms ${(ms / usual).toFixed(1)}×`
    const figures = `${figure('median', median(during))}, ${figure('worst', Math.max(...during))}`
    return `${tally(states)} after ${seconds} s; ${during.length} sign-ins: ${figures}, idle ${Math.round(usual)} ms`
  },
  async clear(world) {
    if (reasonAgainst(world) === undefined) await removeInstances(world.admin, names)
  },
}
