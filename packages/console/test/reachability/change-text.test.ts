import type { NetworkChanges } from '@steading/api/client'
import { expect, test } from 'vitest'
import {
  endsText,
  leftOutText,
  summaryOf,
  trafficText,
} from '../../src/networking/reachability/change-text.ts'

const thing = (name: string) => ({ id: name, name })
const ends = (...names: string[]) => ({
  instances: names.map(thing),
  total: names.length,
  outside: [],
})
const tcp = { protocol: 'tcp', ipVersions: ['v4', 'v6'], ports: ['22'] } as const
const change = (pairs: number, lost: boolean, gained: boolean) => ({
  from: ends('a'),
  to: ends('b'),
  pairs,
  lost: lost ? [{ ...tcp, ipVersions: [...tcp.ipVersions], ports: [...tcp.ports] }] : [],
  gained: gained ? [{ ...tcp, ipVersions: [...tcp.ipVersions], ports: [...tcp.ports] }] : [],
})
const changes = (list: NetworkChanges['changes'], moreChanges = 0): NetworkChanges => ({
  changes: list,
  moreChanges,
  leftOut: { instances: 0, networks: 0, pairs: 0 },
})

test('an end names its instances, the number of further ones, and outside addresses', () => {
  expect(endsText(ends('web-1', 'web-2'))).toBe('web-1, web-2')
  expect(endsText({ ...ends('web-1', 'web-2'), total: 10 })).toBe('web-1, web-2 and 8 more')
  expect(endsText({ ...ends(), outside: ['internet', '203.0.113.0/24'] })).toBe(
    'the internet, 203.0.113.0/24',
  )
})

test('traffic is described by protocol, ports and a single IP version', () => {
  expect(
    trafficText([
      { protocol: 'tcp', ipVersions: ['v4', 'v6'], ports: ['22', '80-443'] },
      { protocol: 'udp', ipVersions: ['v6'], ports: [] },
      { protocol: 'icmp', ipVersions: ['v4'], ports: ['8'] },
    ]),
  ).toBe('TCP 22, 80-443; all UDP over IPv6; ICMP 8')
})

test('the summary counts pairs', () => {
  expect(summaryOf(changes([]))).toBe('No connection is opened or closed.')
  expect(summaryOf(changes([change(3, true, false), change(1, false, true)]))).toBe(
    'Closes 3 connections and opens 1 connection.',
  )
  expect(summaryOf(changes([change(1, false, true)], 5))).toBe('Opens at least 1 connection.')
})

test('the number of omitted comparisons is stated, if any', () => {
  expect(leftOutText(changes([]))).toBeUndefined()
  expect(leftOutText({ leftOut: { instances: 1, networks: 0, pairs: 1412 } })).toBe(
    'The network is too large to compare all of it. Not compared: 1 instance, 1,412 connections.',
  )
})
