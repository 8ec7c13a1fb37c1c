/**
 * An operator makes a cloud of three machines by the playbooks of `deploy/cluster`, loses the primary
 * of the database, and brings new versions to hosts and servers, while an instance runs.
 */
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import { blankDisk, smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { ADDRESS, clusterMissing, prepareCluster } from '../support/cluster.ts'
import { type Container, startContainers } from '../support/containers.ts'

const missing =
  process.env.STEADING_LONG_TESTS === '1'
    ? clusterMissing()
    : 'it takes minutes (npm run test:cluster)'
if (missing !== undefined) console.warn(`A cloud by Ansible is left out: ${missing}.`)

const SHARED = '/srv/steading'

/** Folders of certificates of a machine. */
const folders = {
  servers: '/etc/steading/pki/servers',
  hosts: '/etc/steading/pki/hosts',
  moves: '/etc/pki/qemu',
}

/** Services with the certificate of a server, and how a client begins TLS with them. */
const ports: [name: string, options: string][] = [
  ['etcd', '2379'],
  ['peers of etcd', '2380'],
  ['Patroni', '8008'],
  ['PostgreSQL', '5432 -starttls postgres'],
  ['northbound database', '6641'],
  ['southbound database', '6642'],
  ['peers of the northbound database', '6643'],
  ['peers of the southbound database', '6644'],
]

/** Counts the time series that the first server has of all servers. */
const COUNT_SERIES = `. /etc/default/victoria-metrics; curl -s --cacert ${folders.servers}/ca.pem \
  -u "steading:$httpAuth_password" https://$(hostname):8428/api/v1/series/count | grep -Eo '[0-9]+' | tail -n 1`

/** Serial numbers of the certificates of a machine. */
const serials = ({ run }: Container): Record<string, string> =>
  Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [
      name,
      run(`openssl x509 -noout -serial -in ${folder}/cert.pem`).trim(),
    ]),
  )

/** Serial numbers of the certificates that its services show. */
const shownSerials = ({ run, ip }: Container): Record<string, string> =>
  Object.fromEntries(
    ports.map(([name, options]) => {
      const own = `-cert ${folders.servers}/cert.pem -key ${folders.servers}/key.pem`
      const client = `openssl s_client ${own} -connect ${ip}:${options} </dev/null 2>/dev/null`
      return [name, run(`${client} | openssl x509 -noout -serial || true`).trim()]
    }),
  )

test.skipIf(missing !== undefined)(
  'a cloud of three machines by the playbooks @long',
  { timeout: 3_600_000 },
  async () => {
    const containers = await startContainers(3, SHARED)
    onTestFinished(containers.end)
    const { machines } = containers
    const { call, play } = prepareCluster(containers, SHARED)
    const names = machines.map(({ name }) => name)
    const run = (command: string) => machines.map((machine) => machine.run(command))

    expect((await play('site.yml')).machines).toEqual(
      names.map((name) => ({ name, changed: expect.any(Number), failed: 0 })),
    )
    // It changes nothing of what is there.
    expect((await play('site.yml')).machines).toEqual(
      names.map((name) => ({ name, changed: 0, failed: 0 })),
    )
    const hosts = () => call<{ items: Wire.Host[] }>('GET', '/x/v1/system/hosts').items
    expect(hosts().map(({ state }) => state)).toEqual(Array(3).fill('in_service'))
    // Each host honours leases of instances.
    for (const { id } of hosts()) {
      await until(
        async () => call<Wire.HostFencing>('GET', `/x/v1/system/hosts/${id}/fencing`),
        ({ method, last_check }) =>
          expect({ method, last_check }).toMatchObject({
            method: 'leases',
            last_check: { problem: null },
          }),
      )
    }
    const found = run('steading doctor').join('\n')
    expect(found).not.toMatch(/^problem/m)
    for (const about of [
      'connections to the database',
      'connections of OVN',
      'moves of instances',
      'connection to VictoriaMetrics',
    ]) {
      expect(found.match(new RegExp(`^ok +${about}: encrypted`, 'gm'))).toHaveLength(3)
    }
    for (const about of ['certificates of the database', 'certificates of the databases of OVN']) {
      const shown = new RegExp(`^ok +${about}: the first one ends on 2`, 'gm')
      expect(found.match(shown)).toHaveLength(3)
    }
    const unencrypted = (name: string, port: number) =>
      machines[0]!.run(`curl -s --fail --max-time 5 http://${name}:${port}/ || echo refused`)
    // Patroni, the console, and the time series of the first server.
    for (const port of [8008, 8080]) {
      const answers = names.map((name) => unencrypted(name, port))
      expect({ port, answers }).toEqual({ port, answers: names.map(() => 'refused') })
    }
    expect(unencrypted(names[0]!, 8428)).toBe('refused')
    await until(
      async () => Number(machines[0]!.run(COUNT_SERIES)),
      (count) => expect(count).toBeGreaterThan(0),
    )

    call('POST', '/v1/projects', { name: 'work', description: '' })
    call('POST', '/v1/instances?project=work', {
      ...smallInstance('lasting'),
      disks: [{ type: 'create', ...blankDisk('disk') }],
      start: true,
    })
    const runs = () =>
      until(
        async () => call<Wire.Instance>('GET', '/v1/instances/lasting?project=work'),
        ({ run_state }) => expect(run_state).toBe('running'),
      )
    const { id } = await runs()
    const domains = () =>
      run('virsh -q list --name')
        .join('\n')
        .split('\n')
        .filter((name) => name.startsWith('steading-'))
    const [domain] = domains()
    expect(domains()).toEqual([domain])
    /** The hosts that run the instance under its lease. */
    const leased = () =>
      machines.flatMap((machine) => {
        const runsHere = machine.run('virsh -q list --name').includes(domain!)
        const hasLease = machine.run('sanlock client status').includes(`r steading:${id}:`)
        expect(hasLease).toBe(runsHere)
        return hasLease ? [machine.name] : []
      })
    expect(leased()).toHaveLength(1)

    // Certificates are renewed, and services show the new ones without a restart.
    const before = machines.map(serials)
    await play('site.yml', '-e', 'renew_days=731')
    for (const [index, machine] of machines.entries()) {
      const now = serials(machine)
      for (const [folder, serial] of Object.entries(now)) {
        expect(serial).toMatch(/^serial=\w+$/)
        expect(serial).not.toBe(before[index]![folder])
      }
      await until(
        async () => shownSerials(machine),
        (shown) =>
          expect(shown).toEqual(Object.fromEntries(ports.map(([name]) => [name, now.servers]))),
      )
    }
    await runs()
    expect(domains()).toEqual([domain])
    expect(run('steading doctor').join('\n')).not.toMatch(/^problem/m)
    call('PUT', '/v1/projects/work', { description: 'with new certificates' })

    // The backup has the database of the cluster, and the disk of the instance on whichever host.
    const file = '/var/lib/steading/cloud.backup'
    expect(run(`steading backup ${file}`).join('\n')).toMatch(/^Backed up the state of/m)
    expect(run(`steading verify ${file}`).join('\n')).toMatch(/disks in storage pools: default/)
    await runs()

    // The address for users leaves a server that hangs.
    const holders = () =>
      machines.filter((machine) => machine.run(`ip -o address show to ${ADDRESS}`) !== '')
    const [holder, ...further] = holders()
    expect(further).toEqual([])
    holder!.run('systemctl kill --kill-whom=main --signal=STOP steading')
    await until(
      async () => call<Wire.Project>('PUT', '/v1/projects/work', { description: 'elsewhere' }),
      ({ description }) => expect(description).toBe('elsewhere'),
    )
    expect(holders()).toEqual([expect.not.objectContaining({ name: holder!.name })])
    holder!.run('systemctl kill --kill-whom=main --signal=CONT steading')

    // The primary is gone at once, and what was acknowledged is there.
    const authority = '/etc/steading/pki/servers/ca.pem'
    const isPrimary = `curl -s --cacert ${authority} -o /dev/null -w '%{http_code}' https://$(hostname):8008/primary`
    const primary = machines.find((machine) => machine.run(isPrimary) === '200')!
    call('POST', '/v1/projects', { name: 'kept', description: '' })
    primary.run('systemctl kill --signal=KILL patroni; pkill -KILL -u postgres; true')
    await until(
      async () => call<Wire.Project>('PUT', '/v1/projects/kept', { description: 'after' }),
      ({ description }) => expect(description).toBe('after'),
    )

    // Each host is empty once, and the instance runs on.
    await play('upgrade.yml', '--tags', 'hosts')
    await runs()
    expect(domains()).toEqual([domain])
    const moves = hosts().flatMap(
      ({ sled_id }) =>
        call<Wire.InstanceMoveResultsPage>('GET', `/x/v1/system/hardware/sleds/${sled_id}/moves`)
          .items,
    )
    const ended = moves.map(({ instance_id, state }) => ({ instance_id, state }))
    expect(ended.length).toBeGreaterThan(0)
    expect(ended).toEqual(ended.map(() => ({ instance_id: id, state: 'moved' })))
    expect(leased()).toHaveLength(1)

    await play('upgrade.yml', '--tags', 'servers')
    await runs()
    expect(domains()).toEqual([domain])
    expect(hosts().map(({ state }) => state)).toEqual(Array(3).fill('in_service'))
  },
)
