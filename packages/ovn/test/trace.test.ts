/** The reading of `ovn-trace`, whose real outputs are in support/traces.ts. */
import { describe, expect, test } from 'vitest'
import { decidingFlows, parseHints, parseTrace, verdictOf } from '../src/packet/trace.ts'
import * as traces from './support/traces.ts'

/** Keys of rows, by the flows that stand for them. */
const keys: Record<string, string | null> = {
  '2e524f2e': 'allowed by default',
  e5668557: 'rule 5f3c',
  '4de20c86': 'rule 77aa',
  '6a27a32e': 'policy 9b1d v4 1 of public private',
  '431c79ee': 'policy 9b1d v4 0 of public private',
}
const verdict = (text: string, more: Record<string, string | null> = {}) =>
  verdictOf(parseTrace(text), (_, flow) => ({ ...keys, ...more })[flow])

describe('the trace of a packet', () => {
  test.for([
    ['allowed', traces.allowed, { by: 'rule', allowed: true, direction: 'inbound', rule: '5f3c' }],
    ['denied', traces.denied, { by: 'rule', allowed: false, direction: 'outbound', rule: '77aa' }],
    [
      'denied and logged',
      traces.loggedDenial,
      { by: 'rule', allowed: false, direction: 'inbound', rule: '77aa' },
    ],
    ['later', traces.later, { by: 'rule', allowed: false, direction: 'outbound', rule: '77aa' }],
    ['spoofed', traces.spoofed, { by: 'sender', allowed: false }],
    ['policy', traces.policy, { by: 'route', allowed: false, route: '9b1d' }],
    ['nobody', traces.nobody, { by: 'nobody', allowed: false }],
    ['outside', traces.outside, { by: 'default', allowed: true, direction: 'outbound' }],
  ] as const)('that was %s tells what decided', ([, text, expected]) => {
    expect(verdict(text)).toEqual(expected)
  })

  test('says so where a row is not ours, or is none that decides', () => {
    const foreign = { by: 'foreign', allowed: false, direction: 'outbound' }
    expect(verdict(traces.denied, { '4de20c86': null })).toEqual(foreign)
    expect(verdict(traces.policy, { '6a27a32e': 'something new' })).toBeUndefined()
    expect(verdict(traces.outside.replaceAll('localnet', 'l2gateway'))).toBeUndefined()
    const asksOutside = traces.nobody.replaceAll('outport = "router-', 'outport = "cr-uplink-')
    expect(verdict(asksOutside)).toBeUndefined()
  })

  test('tells nothing where it is cut off or unknown', () => {
    const lines = traces.allowed.split('\n')
    for (const [at] of lines.entries()) {
      const cut = lines.slice(0, at).join('\n')
      if (!cut.includes('output to "nic')) expect(verdict(cut), cut).toBeUndefined()
    }
    for (const text of ['', 'drop;', '1. ls_in_acl (', '\0'.repeat(1000), '"'.repeat(10_000)]) {
      expect(verdict(text), text.slice(0, 20)).toBeUndefined()
    }
  })

  test('names the flows that may stand for rows, whose hints are read', () => {
    expect(decidingFlows(parseTrace(traces.policy))).toEqual(['2e524f2e', '435c7726', '6a27a32e'])
    const flow = (uuid: string, ...ids: [string, string][]) => [
      ['uuid', `${uuid}-0817-4d56-9a34-a4ca9ca504a8`],
      ['map', ids],
    ]
    const data = [
      flow('6a27a32e', ['stage-hint', 'cae01880'], ['stage-name', 'lr_in_policy']),
      flow('435c7726', ['stage-name', 'ls_out_acl']),
      flow('2e524f2e', ['stage-hint', "'; drop"]),
    ]
    const text = JSON.stringify({ data, headings: ['_uuid', 'external_ids'] })
    expect([...parseHints(text)]).toEqual([['6a27a32e', 'cae01880']])
  })
})
