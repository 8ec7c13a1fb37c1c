/** What the head of an instance's page says: the command, the console, the last hour. */
import { defaultImageCatalog, estimatedCost, loginUserOf } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { lastHour, lastHourQuery, linesOf } from '../src/compute/instances/metrics/last-hour.ts'
import { cpuMetric, diskMetrics } from '../src/compute/instances/metrics/metric-queries.ts'
import { hostOf, isLoopback, sshCommand } from '../src/compute/instances/ssh-command.ts'
import { lastLines } from '../src/compute/serial-console/last-lines.ts'

test.each([
  [{}, 'ssh [username]@[external IP]'],
  [{ user: 'debian' }, 'ssh debian@[external IP]'],
  [{ host: '192.0.2.1' }, 'ssh [username]@192.0.2.1'],
  [{ user: 'debian', host: '2001:db8::1' }, 'ssh debian@2001:db8::1'],
  [{ user: 'ubuntu', host: '127.0.0.1', port: 24022 }, 'ssh -p 24022 ubuntu@127.0.0.1'],
])('the command for %j', (target, command) => {
  expect(sshCommand(target)).toBe(command)
})

test('a host that listens on all addresses is known by that of the page', () => {
  expect(hostOf({ hostIp: '0.0.0.0' }, 'cloud.example')).toBe('cloud.example')
  expect(hostOf({ hostIp: '192.0.2.7' }, 'cloud.example')).toBe('192.0.2.7')
  expect([isLoopback({ hostIp: '127.0.0.1' }), isLoopback({ hostIp: '10.0.0.1' })]).toEqual([
    true,
    false,
  ])
})

test.each([
  ['Debian', '13', 'debian'],
  // Images of a system that is known in other versions only.
  [' ubuntu ', '20.04', 'ubuntu'],
  ['Alpine Linux', '3.23', 'alpine'],
  ['Plan 9', '4', undefined],
  ['', '', undefined],
])('the user of an image of %s %s', (os, version, user) => {
  expect(loginUserOf({ os, version }, defaultImageCatalog)).toBe(user)
})

test('a user that is ambiguous, missing or no name is not offered', () => {
  const image = { os: 'Own', version: '3' }
  const users = (...names: string[]) =>
    names.map((user, index) => ({ os: 'Own', version: String(index), user }))
  expect(loginUserOf(image, users('a', 'b'))).toBeUndefined()
  expect(loginUserOf(image, users('a', 'a'))).toBe('a')
  expect(loginUserOf({ ...image, version: '1' }, users('a', 'b'))).toBe('b')
  expect(loginUserOf(image, users(''))).toBeUndefined()
  expect(loginUserOf(image, users('a; rm -rf ~ #'))).toBeUndefined()
  expect(loginUserOf(image, users('-oProxyCommand=evil'))).toBeUndefined()
})

const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  ['one\r\ntwo\r\n\r\nthree\r\n', ['two', 'three']],
  ['\u001B[32mok\u001B[0m\tdone\n\u001B]0;title\u0007wheel:~# ', ['ok        done', 'wheel:~#']],
  // A line that was written again, and a screen that was cleared.
  ['10%\r20%\r100%\n', ['100%']],
  ['gone\n\u001B[2J\u001B[Hlogin:', ['login:']],
  ['', []],
])('the last lines of %j', (output, lines) => {
  expect(lastLines(bytes(output), 2)).toEqual(lines)
})

test('the last lines of bytes that are no text', () => {
  expect(lastLines(Uint8Array.of(0xff, 0x1b, 0x5b, 0x0a, 0x41), 2)).toEqual(['\uFFFD', 'A'])
})

const lines = [
  { label: 'CPU', metrics: [cpuMetric('i', 'run')] },
  {
    label: 'Disk',
    metrics: diskMetrics('i', undefined).filter(({ unit }) => unit === 'bytes'),
  },
]

test('the last hour is one query of whole minutes', () => {
  const span = lastHour(Date.parse('2024-01-01T01:00:59Z'))
  expect(new Date(span.to).toISOString()).toBe('2024-01-01T01:00:00.000Z')
  const query = lastHourQuery(lines, span)
  expect(query).toMatch(/^\{ get virtual_machine:vcpu_usage .*; get virtual_disk:bytes_read .* \}$/)
  expect(query.match(/get /g)).toHaveLength(3)
})

const times = ['00:00', '00:01', '00:02'].map((time) => new Date(`2024-01-01T${time}:00Z`))
const table = (name: string, values: (number | null)[], fields = {}) => ({
  name,
  timeseries: [
    {
      fields,
      points: {
        timestamps: times,
        values: [{ metricType: 'delta', values: { type: 'double', values } }],
      },
    },
  ],
})

test('values are percent of the vCPUs, and bytes per second of reads and writes together', () => {
  const tables = [
    table('virtual_machine:vcpu_usage', [9, 2.5e9, null], {
      vcpu_id: { type: 'u32', value: 0 },
    }),
    table('virtual_disk:bytes_read', [9, 1000, null]),
    table('virtual_disk:bytes_written', [9, 500, 200]),
  ]
  expect(linesOf(lines, { tables } as never)).toEqual([
    { label: 'CPU', unit: '%', times: [+times[1]!, +times[2]!], values: [50, null] },
    { label: 'Disk', unit: 'B/s', times: [+times[1]!, +times[2]!], values: [150, 20] },
  ])
  expect(linesOf(lines, { tables: [] })).toEqual([
    { label: 'CPU', unit: '%', times: [], values: [] },
    { label: 'Disk', unit: 'B/s', times: [], values: [] },
  ])
})

test('the cost of what is held is summed exactly, and rounded once', () => {
  const cost = (units: number, price: string | undefined) => ({ units, price })
  expect(estimatedCost([cost(2, '0.01'), cost(8, '0.002')], 730, 'EUR')).toBe('26.28')
  expect(estimatedCost([cost(0.5, '0.000001')], 730, 'EUR')).toBe('0.00')
  expect(estimatedCost([cost(3, '1')], 1, 'JPY')).toBe('3')
  // Nothing of it has a price.
  expect(estimatedCost([cost(3, undefined), cost(0, '1'), cost(1, '0')], 730, 'EUR')).toBe(
    undefined,
  )
})
