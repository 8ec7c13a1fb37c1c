/** The doctor says which connections to other machines are in the clear. */
import { expect, test } from 'vitest'
import { defaultConfig, type ServerConfig } from '../src/config.ts'
import { checkConnections, nfsAt } from '../src/doctor/connections.ts'
import { lineOf } from '../src/doctor/finding.ts'

const linesOf = async (
  config: Partial<ServerConfig>,
  plain?: Parameters<typeof checkConnections>[1],
): Promise<string[]> =>
  (await checkConnections({ ...defaultConfig(), ...config }, plain)).map(lineOf)

test('a server that is alone on its machine has none', async () => {
  expect(await linesOf({})).toEqual([])
  expect(await linesOf({ databaseUrl: 'postgres://127.0.0.1:1/none' })).toEqual([])
  expect(await linesOf({ databaseUrl: 'postgres:///none?host=/run/postgresql' })).toEqual([])
  expect(await linesOf({ metricsUrl: 'http://[::1]:8428' })).toEqual([])
})

// Nothing listens there, and it is no loopback address.
const ELSEWHERE = '0.0.0.0:1'

test.each([
  [
    '',
    /^warning {2}connections to the database: in the clear to 0\.0\.0\.0:1; .*sslmode=verify-full/,
  ],
  ['?sslmode=disable', /^warning {2}connections to the database: in the clear to 0\.0\.0\.0:1; /],
  [
    '?sslmode=no-verify',
    /^warning .*: encrypted, but nothing proves that 0\.0\.0\.0:1 is the database; /,
  ],
  ['?sslmode=require&uselibpqcompat=true', /^warning .*: encrypted, but nothing proves /],
  ['?sslmode=verify-full', /^ok .*: encrypted, and each host is proven by its certificate$/],
])('the database with %s', async (query, expected) => {
  expect(
    await linesOf({ databaseUrl: `postgres://user:secret@${ELSEWHERE}/none${query}` }),
  ).toEqual([expect.stringMatching(expected)])
})

test('a certificate of the database that cannot be read is left to the finding about the database', async () => {
  const databaseUrl = `postgres://${ELSEWHERE}/none?sslmode=verify-full&sslrootcert=/nowhere.pem`
  expect(await linesOf({ databaseUrl })).toEqual([])
})

test('OVN, moves, metrics and the API', async () => {
  const config = { sharedDirectory: '/', metricsUrl: `http://${ELSEWHERE}`, host: '0.0.0.0' }
  const plain = {
    controller: ['tcp:10.0.0.1:6642'],
    open: ['ptcp:6641'],
    members: ['tcp:10.0.0.1:6643'],
  }
  expect(await linesOf(config, plain)).toEqual([
    expect.stringMatching(
      /^warning .*OVN: ovn-controller reaches tcp:10\.0\.0\.1:6642 in the clear; /,
    ),
    expect.stringMatching(/^warning .*OVN: its databases are open to everybody at ptcp:6641; /),
    expect.stringMatching(/^warning .*OVN: its databases send each other .*tcp:10\.0\.0\.1:6643; /),
    expect.stringMatching(
      /^warning {2}tunnels between hosts: packets of instances are in the clear; /,
    ),
    expect.stringMatching(/^warning {2}moves of instances: .*; .*--encrypt-moves$/),
    expect.stringMatching(/^warning {2}connection to VictoriaMetrics: in the clear; /),
    expect.stringMatching(/^warning {2}console and API: in the clear on 0\.0\.0\.0, /),
  ])
  const secure = { ...config, metricsUrl: `https://${ELSEWHERE}`, encryptMoves: true, tlsPort: 443 }
  expect(await linesOf(secure, { controller: [], open: [], members: [] })).toEqual([
    'ok       connections of OVN: encrypted',
    expect.stringMatching(/^warning {2}tunnels between hosts: /),
    'ok       moves of instances: encrypted',
    'ok       connection to VictoriaMetrics: encrypted',
  ])
})

test.each([
  ['nas:/a /srv/steading nfs4 rw,sec=sys 0 0', { encrypted: false }],
  ['nas:/a /srv/steading nfs4 rw,sec=krb5p,hard 0 0', { encrypted: true }],
  ['nas:/a /srv nfs rw,xprtsec=mtls 0 0', { encrypted: true }],
  ['nas:/a /srv/steading nfs4 rw 0 0\n/dev/sda /srv/steading/disks xfs rw 0 0', undefined],
  ['nas:/a /srv/stead nfs4 rw 0 0', undefined],
])('the shared file system among %j', (mounts, expected) => {
  expect(nfsAt('/srv/steading/disks', `/dev/vda / ext4 rw 0 0\n${mounts}\n`)).toEqual(expected)
})
