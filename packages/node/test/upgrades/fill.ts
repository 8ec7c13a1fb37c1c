/**
 * Data of an earlier version when it is killed, for the upgrade tests. All versions get the same
 * calls; a version that does not know a call answers 404 and is skipped.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createCaller, type Caller } from './caller.ts'

export const UPGRADE_PASSWORD = 'a password for tests'
export const PROJECT = 'web'
const GiB = 2 ** 30
/** Bytes of a chunk of an upload. */
export const CHUNK = 64 * 1024
/** First bytes of uploaded disks. */
export const uploaded = Buffer.alloc(CHUNK, 'Steading ')
export const BULK = ['bulk-0', 'bulk-1', 'bulk-2']
/** Instances in a transitional state at the kill, and instances in a stable one. */
export const INSTANCES = [
  'running',
  'stopped',
  'booting',
  'stopping',
  'rebooting',
  ...BULK,
] as const

const project = `project=${PROJECT}`
const about = (name: string) => ({ name, description: '' })
const distributed = (disk_source: object) => ({ type: 'distributed', disk_source })
const blank = distributed({ type: 'blank', block_size: 512 })
const importing = distributed({ type: 'importing_blocks', block_size: 512 })

async function reaches(call: Caller, path: string, states: readonly string[]): Promise<void> {
  for (;;) {
    const { run_state, state } = await call('GET', path)
    const found = run_state ?? state.state ?? state
    if (states.includes(found)) return
    await pause(20)
  }
}

async function addInstance(call: Caller, name: string, more: object = {}): Promise<void> {
  const size = { ncpus: 1, memory: GiB }
  await call('POST', `/v1/instances?${project}`, {
    ...about(name),
    ...size,
    hostname: name,
    start: false,
    user_data: Buffer.from('#cloud-config\n').toString('base64'),
    ...more,
  })
}

async function importDisk(call: Caller, name: string): Promise<void> {
  const disk = `/v1/disks/${name}`
  await call('POST', `/v1/disks?${project}`, {
    ...about(name),
    size: GiB,
    disk_backend: importing,
  })
  await reaches(call, `${disk}?${project}`, ['import_ready'])
  await call('POST', `${disk}/bulk-write-start?${project}`)
  await call('POST', `${disk}/bulk-write?${project}`, {
    offset: 0,
    base64_encoded_data: uploaded.toString('base64'),
  })
}

export async function finishImport(call: Caller, name: string): Promise<void> {
  const disk = `/v1/disks/${name}`
  await call('POST', `${disk}/bulk-write-stop?${project}`)
  await call('POST', `${disk}/finalize?${project}`, {})
  await reaches(call, `${disk}?${project}`, ['detached'])
}

async function addStorage(call: Caller): Promise<void> {
  await importDisk(call, 'uploaded')
  await finishImport(call, 'uploaded')
  await call('POST', `/v1/snapshots?${project}`, { ...about('before'), disk: 'uploaded' })
  await reaches(call, `/v1/snapshots/before?${project}`, ['ready'])
  const { id } = await call('GET', `/v1/snapshots/before?${project}`)
  const source = { type: 'snapshot', id }
  await call('POST', `/v1/images?${project}`, { ...about('image'), os: 'x', version: '1', source })
  await importDisk(call, 'half')
}

async function addNetworks(call: Caller): Promise<void> {
  await call.known('PUT', `/v1/vpc-firewall-rules?${project}&vpc=default`, {
    rules: [
      {
        ...about('allow-web'),
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: 100,
        targets: [{ type: 'vpc', value: 'default' }],
        filters: { hosts: null, ports: ['443'], protocols: null },
      },
    ],
  })
  await call.known('POST', `/v1/vpc-routers?${project}&vpc=default`, about('router'))
  await call.known('POST', `/v1/vpc-router-routes?${project}&vpc=default&router=router`, {
    ...about('route'),
    target: { type: 'drop' },
    destination: { type: 'ip_net', value: '192.0.2.0/24' },
  })
  await call.known('POST', '/v1/system/networking/address-lot', {
    ...about('lot'),
    kind: 'infra',
    blocks: [{ first_address: '10.100.0.0', last_address: '10.100.0.255' }],
  })
  const settings = await call.known('POST', '/v1/system/networking/switch-port-settings', {
    ...about('ports'),
    port_config: { geometry: 'qsfp28x1' },
    links: [
      {
        link_name: 'phy0',
        mtu: 1500,
        speed: 'speed100_g',
        autoneg: false,
        lldp: { enabled: true },
      },
    ],
    interfaces: [],
    addresses: [],
    routes: [],
    bgp_peers: [],
    groups: [],
  })
  if (!settings) return
  const ports = await call('GET', '/v1/system/hardware/switch-port')
  const { rack_id, switch_slot, port_name } = ports.items[0]
  const place = `rack_id=${rack_id}&switch_slot=${switch_slot}`
  await call('POST', `/v1/system/hardware/switch-port/${port_name}/settings?${place}`, {
    port_settings: 'ports',
  })
}

async function addSystem(call: Caller): Promise<void> {
  await call.known('POST', '/v1/system/silos', {
    ...about('other'),
    identity_mode: 'local_only',
    discoverable: true,
    quotas: { cpus: 16, memory: 64 * GiB, storage: 1024 * GiB },
    tls_certificates: [],
    mapped_fleet_roles: { admin: ['viewer'] },
  })
  const pool = { ...about('casts'), ip_version: 'v4', pool_type: 'multicast' }
  if (await call.known('POST', '/v1/system/ip-pools', pool)) {
    const pools = '/v1/system/ip-pools/casts'
    await call('POST', `${pools}/ranges/add`, { first: '239.1.0.0', last: '239.1.0.255' })
    await call('POST', `${pools}/silos`, { silo: 'main', is_default: true })
  }
  const endpoint = 'https://1.1.1.1/hook'
  await call.known('POST', '/v1/webhook-receivers', {
    ...about('receiver'),
    endpoint,
    secrets: ['a secret for tests'],
    subscriptions: [],
  })
  await call.known('POST', '/x/v1/system/update/uploads', { file_name: 'release.zip', size: 4 })
  await call.known('POST', '/v1/system/support-bundles', { user_comment: 'of an earlier version' })
}

async function addKept(call: Caller): Promise<void> {
  const query = 'get virtual_machine:vcpu_usage'
  await call.known('POST', '/x/v1/views', {
    name: 'view',
    list: 'disk',
    query: {},
    project: PROJECT,
  })
  await call.known('POST', '/x/v1/dashboards', {
    ...about('dashboard'),
    source: 'project',
    sharing: 'project',
    project: PROJECT,
    charts: [{ title: 'CPU', query, display: 'line', width: 'half' }],
  })
  await call.known('POST', `/x/v1/alert-rules?${project}`, {
    ...about('rule'),
    query,
    comparison: 'above',
    threshold: 1,
    duration: 60,
    severity: 'warning',
  })
}

/** Query of a version with metrics. */
export const MEASURED = 'get virtual_machine:vcpu_usage | last 1'

/** Waits until the machines have been measured, if the version has metrics. */
async function measured(call: Caller): Promise<void> {
  const ask = () => call.known('POST', '/v1/system/timeseries/query', { query: MEASURED })
  for (let answer = await ask(); answer?.tables[0]?.timeseries.length === 0; answer = await ask()) {
    await pause(200)
  }
}

/** Fills a server after its first start, and returns while much is in progress. */
export async function fillEarlierVersion(url: string): Promise<void> {
  const call = await createCaller(url, UPGRADE_PASSWORD)
  await call('POST', '/v1/projects', about(PROJECT))
  await call('POST', '/v1/me/ssh-keys', { ...about('key'), public_key: 'ssh-ed25519 AAAA' })
  await addStorage(call)
  await addNetworks(call)
  await addSystem(call)
  await addKept(call)
  await call('POST', `/v1/disks?${project}`, { ...about('data'), size: GiB, disk_backend: blank })
  await reaches(call, `/v1/disks/data?${project}`, ['detached'])
  await addInstance(call, 'running', { disks: [{ type: 'attach', name: 'data' }], start: true })
  for (const name of ['stopping', 'rebooting', ...BULK]) {
    await addInstance(call, name, { start: true })
  }
  for (const name of ['stopped', 'booting']) await addInstance(call, name)
  await call('POST', `/v1/affinity-groups?${project}`, {
    ...about('group'),
    policy: 'allow',
    failure_domain: 'sled',
  })
  await call('POST', `/v1/affinity-groups/group/members/instance/stopped?${project}`)
  for (const name of ['running', 'stopping', 'rebooting', ...BULK]) {
    await reaches(call, `/v1/instances/${name}?${project}`, ['running'])
  }
  await reaches(call, `/v1/instances/booting?${project}`, ['stopped'])
  await call.known('PUT', `/v1/instances/running/multicast-groups/239.1.0.3?${project}`, {})
  await measured(call)
  await call('POST', `/v1/instances/booting/start?${project}`)
  await call('POST', `/v1/instances/stopping/stop?${project}`)
  await call('POST', `/v1/instances/rebooting/reboot?${project}`)
  const ids = []
  for (const name of BULK) ids.push((await call('GET', `/v1/instances/${name}?${project}`)).id)
  const job = await call('POST', '/x/v1/jobs', {
    action: 'stop',
    kind: 'instance',
    project: PROJECT,
    target: { type: 'ids', ids },
  })
  // The items are planned first.
  await reaches(call, `/x/v1/jobs/${job.id}`, ['planned'])
  await call('POST', `/x/v1/jobs/${job.id}/start`)
}
