/** A cloud of several hosts in namespaces, as an operator makes it. */
import { execFileSync } from 'node:child_process'
import type { Wire } from '@steading/api'
import { expect, onTestFinished } from 'vitest'
import { blankDisk, smallInstance, until } from '../../../control-plane/test/support/things.ts'
import {
  type NamespaceHost,
  startHosts,
} from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import { embeddedCloud, startServers } from '../kill/cloud.ts'
import { temporaryDirectory } from './process.ts'
import type { ServerClock } from './server-clocks.ts'

/**
 * The domains of a host, seen from outside.
 * @param which those that run, by default
 */
export const domainsOn = ({ socketUri }: NamespaceHost, ...which: '--all'[]): string[] =>
  execFileSync('virsh', ['-q', '-c', socketUri, 'list', '--name', ...which], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.startsWith('steading-'))

/**
 * A cloud whose hosts have been added.
 * @param count number of hosts
 * @param leases whether guests run under leases
 * @param networks whether OVN carries their networks; otherwise guests are alone
 * @param pools number of file systems that all hosts see besides the first one
 * @param variables further settings of the servers
 * @param clocks of the servers, as `startServers` has them
 * @param prepare the directory that all hosts see, as the servers are to see it
 */
export async function openCloud(
  count: number,
  {
    open = () => Promise.resolve(embeddedCloud(temporaryDirectory())),
    servers: serverCount = 1,
    networks = false,
    leases = false,
    pools: poolCount = 0,
    variables = {},
    clocks = [] as readonly ServerClock[],
    prepare = async (_shared: string): Promise<void> => {},
  } = {},
) {
  const { hosts, shared, pools, path, center, end } = await startHosts(count, {
    networks,
    leases,
    pools: poolCount,
  })
  onTestFinished(end)
  const env = {
    STEADING_ENGINE: 'libvirt',
    STEADING_SHARED_DIRECTORY: shared,
    STEADING_NETWORKS: networks ? 'ovn' : 'user',
    STEADING_COLLECTION: '0',
    STEADING_IMAGE_NETWORKS: '127.0.0.1',
    PATH: `${path}:${process.env.PATH}`,
    ...variables,
  }
  const place = await open()
  await prepare(shared)
  const servers = await startServers(place, serverCount, env, center, clocks)
  const call = async <T>(method: string, place: string, body?: object): Promise<T> => {
    const answer = await servers.api(serverCount - 1)(method, place, body)
    if (answer.status >= 300) throw new Error(`${place}: ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }

  const added: Wire.Host[] = []
  for (const { address } of hosts) {
    const { id } = await call<Wire.Host>('POST', '/x/v1/system/hosts', { address })
    added.push(
      await until(
        () => call<Wire.Host>('GET', `/x/v1/system/hosts/${id}`),
        (host) =>
          expect({ state: host.state, findings: host.findings }).toMatchObject({
            state: 'in_service',
          }),
      ),
    )
  }

  const view = (name: string) => call<Wire.Instance>('GET', `/v1/instances/${name}?project=work`)
  const runs = (name: string) =>
    until(
      () => view(name),
      ({ run_state }) => expect(run_state).toBe('running'),
    )
  const sledOf = async (name: string): Promise<string> => {
    const { id } = await view(name)
    for (const { sled_id } of added) {
      const { items } = await call<Wire.SledInstanceResultsPage>(
        'GET',
        `/v1/system/hardware/sleds/${sled_id}/instances`,
      )
      if (items.some((one) => one.id === id)) return sled_id!
    }
    throw new Error(`${name} is on no sled`)
  }

  const start = (name: string, values: object = {}) =>
    call('POST', '/v1/instances?project=work', {
      ...smallInstance(name),
      disks: [{ type: 'create', ...blankDisk(`disk-of-${name}`) }],
      start: true,
      ...values,
    })
  return {
    hosts,
    shared,
    pools,
    center,
    place,
    env,
    servers,
    call,
    added,
    view,
    runs,
    sledOf,
    start,
  }
}
