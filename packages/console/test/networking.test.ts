import type { ExternalIp, IpVersion, SiloIpPool } from '@steading/api/client'
import { errors, nicCannot } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { ApiError } from '../src/data/errors.ts'
import { choicesOf } from '../src/data/reads.ts'
import { failedField } from '../src/compute/instances/create/failed-field.ts'
import {
  type InstanceValues,
  primaryVersions,
  reachableFloatingIps,
} from '../src/compute/instances/create/values.ts'
import { ephemeralOffer, noFloatingIp } from '../src/compute/instances/view/ephemeral-ip.ts'
import {
  onlyDefault,
  poolSelectorOf,
  poolsToChoose,
  unicastPools,
} from '../src/networking/pools/own-pools.ts'
import { ipConfigOf } from '../src/networking/network-interfaces/stacks.ts'
import { transitIpFieldProblem } from '../src/networking/network-interfaces/transit-ips-field.tsx'

const pool = (name: string, rest: Partial<SiloIpPool> = {}): SiloIpPool => ({
  id: name,
  name,
  description: '',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  ipVersion: 'v4',
  poolType: 'unicast',
  isDefault: false,
  ...rest,
})
const four = pool('four', { isDefault: true })
const six = pool('six', { ipVersion: 'v6', isDefault: true })
const casts = pool('casts', { poolType: 'multicast', isDefault: true })

const ephemeral = (ip: string): ExternalIp => ({ kind: 'ephemeral', ip, ipPoolId: 'pool' })

test('pools are offered with defaults first, then by version and name', () => {
  const pools = [pool('b'), casts, pool('z', { ipVersion: 'v6' }), six, pool('a'), four]
  expect(unicastPools(pools).map(({ name }) => name)).toEqual(['four', 'six', 'a', 'b', 'z'])
  expect(onlyDefault([four, pool('a')])).toBe('four')
  expect(onlyDefault([four, six])).toBe('')
  expect(onlyDefault([pool('a')])).toBe('')
})

test('without the right to list pools, stand-ins of the defaults are offered', () => {
  const refused = { data: undefined, error: new ApiError('ipPoolList', 'Forbidden', 403) }
  const names = poolsToChoose<SiloIpPool>(refused).map(({ name }) => name)
  expect(names).toEqual(['Default IPv4 pool', 'Default IPv6 pool'])
  expect(poolSelectorOf(names[0]!)).toEqual({ type: 'auto', ipVersion: 'v4' })
  expect(poolSelectorOf('four')).toEqual({ type: 'explicit', pool: 'four' })
  const failed = { data: undefined, error: new ApiError('ipPoolList', 'Unavailable', 503) }
  expect(poolsToChoose(failed)).toEqual([])
})

test('choices disappear with the right to read them, and stay after other failures', () => {
  const query = (statusCode: number) => ({
    data: { items: [four] },
    error: new ApiError('projectSiloImageList', 'Refused', statusCode),
    isLoading: false,
    refetch: () => Promise.reject(new Error('not asked for')),
  })
  const choices = (statusCode: number) => choicesOf(query(statusCode), ({ name }) => name)
  expect(choices(403)).toMatchObject({ options: [], refused: true, failure: undefined })
  expect(choices(503)).toMatchObject({ options: ['four'], refused: false, failure: undefined })
})

test.each<[IpVersion[], string[], SiloIpPool[], string | undefined]>([
  [[], [], [four], 'Instance has no network interfaces'],
  [['v4'], ['10.0.0.1'], [four], 'Instance already has an ephemeral IP'],
  [['v4', 'v6'], ['10.0.0.1', 'fd00::1'], [four], 'Instance already has v4 and v6 ephemeral IPs'],
  [['v4'], [], [six, casts], 'No v4 pools available for ephemeral IPs'],
  [['v4', 'v6'], ['10.0.0.1'], [four], 'No v6 pools available for ephemeral IPs'],
  [['v4', 'v6'], [], [casts], 'No v4 or v6 pools available for ephemeral IPs'],
  [['v4'], ['nonsense'], [four], undefined],
])('an interface of %j with %j: %#', (primary, ips, pools, reason) => {
  expect(ephemeralOffer(primary, ips.map(ephemeral), pools).disabledReason).toBe(reason)
})

test.each<[IpVersion[], string[], SiloIpPool[], string]>([
  [
    ['v4', 'v6'],
    [],
    [four, six],
    'Dual-stack network interfaces support one ephemeral IP per version.',
  ],
  [
    ['v4'],
    [],
    [four, six],
    'Only v4 pools are shown because the primary network interface is IPv4-only.',
  ],
  [
    ['v4', 'v6'],
    ['10.0.0.1'],
    [four, six],
    'Only v6 pools are shown because this instance already has a v4 ephemeral IP.',
  ],
  [['v4', 'v6'], [], [four], 'Only v4 pools are shown because no v6 pools are available.'],
])('shown pools and the reason: %#', (primary, ips, pools, info) => {
  expect(ephemeralOffer(primary, ips.map(ephemeral), pools).info).toBe(info)
})

test('floating addresses have a limit', () => {
  const floating = { kind: 'floating', ip: '10.0.0.1' } as ExternalIp
  expect(noFloatingIp([], 1)).toBeUndefined()
  expect(noFloatingIp([], 0)).toBe('No available floating IPs')
  expect(
    noFloatingIp(
      Array.from({ length: 32 }, () => floating),
      1,
    ),
  ).toBe('Floating IP address limit of 32 reached for this instance')
})

test('the actions of an interface and their reasons', () => {
  const primary = { primary: true, others: true }
  const other = { primary: false, others: true }
  expect(nicCannot('makePrimary', 'running', primary)).toMatch('already set as primary')
  expect(nicCannot('makePrimary', 'running', other)).toMatch('must be stopped')
  expect(nicCannot('makePrimary', 'stopped', other)).toBeUndefined()
  expect(nicCannot('delete', 'stopped', primary)).toMatch('make another interface primary')
  expect(nicCannot('delete', 'failed', { primary: true, others: false })).toBeUndefined()
  expect(nicCannot('edit', 'failed', other)).toMatch('must be stopped')
})

test('transit IPs are of versions the interface has, and only once', () => {
  const problem = (text: string) => transitIpFieldProblem(text, ['v4'], ['10.0.0.0/8'])
  expect(problem('10.0.0.0/33')).toBe('Max width for IPv4 is 32')
  expect(problem('fd00::/64')).toBe('IPv6 transit IP not supported by this network interface')
  expect(problem('10.0.0.0/8')).toBe('Transit IP already in list')
  expect(problem('10.1.1.1/24')).toBeUndefined()
})

test('blank addresses are assigned automatically', () => {
  expect(ipConfigOf('v4', ' ', 'left over')).toEqual({
    type: 'v4',
    value: { ip: { type: 'auto' }, transitIps: [] },
  })
  expect(ipConfigOf('dual_stack', ' 10.0.0.9 ', '')).toMatchObject({
    type: 'dual_stack',
    value: { v4: { ip: { type: 'explicit', value: '10.0.0.9' } }, v6: { ip: { type: 'auto' } } },
  })
})

const nic = (type: 'v4' | 'v6') => ({
  name: type,
  description: '',
  vpcName: 'default',
  subnetName: 'default',
  ipConfig: ipConfigOf(type, '', ''),
})

test('addresses follow the first interface', () => {
  const custom = { network: 'custom', ipVersions: 'ipv4' } as const
  expect(primaryVersions({ ...custom, nics: [] })).toEqual([])
  expect(primaryVersions({ ...custom, nics: [nic('v6'), nic('v4')] })).toEqual(['v6'])
  expect(primaryVersions({ network: 'default', ipVersions: 'ipv4', nics: [nic('v6')] })).toEqual([
    'v4',
  ])
  const floatingIps = [
    { name: 'door', ip: '10.0.0.1' },
    { name: 'gate', ip: 'fd00::1' },
  ]
  expect(reachableFloatingIps({ ...custom, nics: [nic('v6')], floatingIps })).toEqual([
    floatingIps[1],
  ])
})

const values = {
  network: 'custom',
  boot: 'silo',
  siloImage: 'image-id',
  bootName: 'root',
  pool4: 'four',
  pool6: 'six',
  ephemeral4: true,
  ephemeral6: false,
} as InstanceValues

test.each([
  [errors.alreadyExists('instance', 'wheel'), 'name'],
  [errors.alreadyExists('disk', 'root'), 'bootName'],
  [errors.alreadyExists('disk', 'flour'), 'disks'],
  [errors.notFoundByName('disk', 'sacks'), 'disks'],
  [errors.notFoundById('image', 'image-id'), 'siloImage'],
  [errors.notFoundByName('ip-pool', 'six'), 'pool6'],
  [errors.insufficientCapacity('No external IP addresses available'), 'pool4'],
  [
    errors.invalidRequest(
      'floating IP cannot be attached to one instance while still attached to another',
    ),
    'floatingIps',
  ],
  [errors.notFoundByName('floating-ip', 'door'), 'floatingIps'],
  [errors.notFoundByName('anti-affinity-group', 'apart'), 'antiAffinityGroups'],
  [errors.alreadyExists('instance-network-interface', 'net0'), 'nics'],
  [errors.invalidRequest('Each interface must be in a distinct VPC Subnet'), 'nics'],
  [errors.invalidRequest("The IP address '10.0.0.9' is not available"), 'nics'],
  [errors.invalidRequest('The first 5 addresses of a subnet are reserved'), 'nics'],
  [errors.invalidRequest('something else'), undefined],
])(
  'the field of the form is found for: $message',
  ({ error_code: errorCode, message: said }, field) =>
    expect(failedField({ errorCode, said }, values)).toBe(field),
)
