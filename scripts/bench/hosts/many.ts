/** Two hundred instances, or as many as all hosts take. */
import type { Wire } from '../../../packages/api/src/index.ts'
import { GiB } from '../../../packages/api/src/rules.ts'
import { type HostsCloud, timed } from './cloud.ts'

const MOST = 200
/** Calls at a time, as of a script. */
const AT_ONCE = 8

/** Does something for each name, some at a time. */
async function forAll(names: readonly string[], work: (name: string) => Promise<unknown>) {
  const rest = names.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const name of rest) await work(name)
    }),
  )
}

/** The time until all of them run, and their number on each host. */
export async function manyFigures({ hosts, call, create, awaited }: HostsCloud): Promise<void> {
  const { items: sleds } = await call<Wire.SledResultsPage>('GET', '/v1/system/hardware/sleds')
  const room = sleds.map(({ usable_hardware_threads: threads, usable_physical_ram: ram }) =>
    Math.min(threads, Math.floor(ram / GiB)),
  )
  const count = Math.min(
    MOST,
    room.reduce((sum, each) => sum + each, 0),
  )
  const names = Array.from({ length: count }, (_, index) => `many-${index}`)
  const reach = (state: string) =>
    awaited(async () => {
      const wanted = new Set(names)
      for (let token = ''; ;) {
        const page = await call<Wire.InstanceResultsPage>(
          'GET',
          `/v1/instances?project=work&limit=100${token === '' ? '' : `&page_token=${token}`}`,
        )
        for (const { name, run_state } of page.items) {
          if (run_state === state) wanted.delete(name)
        }
        if (!page.next_page) return wanted.size === 0 || undefined
        token = page.next_page
      }
    })
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
  const created = await timed(() => forAll(names, create))
  console.log(`${count} instances created in ${seconds(created)}`)
  const started = await timed(async () => {
    await forAll(names, (name) => call('POST', `/v1/instances/${name}/start?project=work`))
    await reach('running')
  })
  const domains = hosts.map(
    (host) => host.virsh('list', '--name').split('\n').filter(Boolean).length,
  )
  console.log(`they run after ${seconds(started)}, by host: ${domains.join(', ')}`)
}
