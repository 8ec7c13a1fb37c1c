/** Sources and targets of the editor of firewall rules in one line, chosen or typed. */
import { addressDoubtMessages, sourceMessages } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import { readEnd, sourceEnds, targetEnds } from '../src/networking/firewall-rules/one-line-ends.ts'

const names = { vpc: 'default', subnets: ['public', 'web'], instances: ['web', 'db-1'] }
const sources = sourceEnds(names, { address: '203.0.114.7', doubt: null })
const targets = targetEnds(names)

const read = (text: string, kind: 'source' | 'target' = 'source', ends = sources) => {
  const found = readEnd(text, kind === 'source' ? ends : targets, kind)
  if ('problem' in found) return found.problem
  const { host } = found.end
  return host ? `${host.type} ${host.value}` : 'anywhere'
}

describe('a source', () => {
  test.each([
    ['anywhere', 'anywhere'],
    ['Anywhere', 'anywhere'],
    ['mine', 'ip 203.0.114.7'],
    ['my address (203.0.114.7)', 'ip 203.0.114.7'],
    ['subnet/public', 'subnet public'],
    ['subnet public', 'subnet public'],
    ['public', 'subnet public'],
    ['instance/web', 'instance web'],
    ['subnet web', 'subnet web'],
    ['DB-1', 'instance db-1'],
    ['VPC default', 'vpc default'],
    ['198.51.100.0/24', 'ip_net 198.51.100.0/24'],
    ['198.51.100.1', 'ip 198.51.100.1'],
    // The instance and the subnet of that name.
    ['web', 'Several have this name. Choose one in the list: “web” or “subnet web”'],
    ['webb', sourceMessages.unknown('webb')],
    ['', sourceMessages.empty],
  ])('%j: %s', (text, outcome) => expect(read(text)).toBe(outcome))

  test('is not the own address where instances may see another', () => {
    for (const [address, doubt] of [
      ['10.0.0.7', 'private'],
      ['203.0.114.7', 'proxied'],
      [null, 'unknown'],
    ] as const) {
      const ends = sourceEnds(names, { address, doubt })
      const found = readEnd('mine', ends, 'source')
      expect(found).toMatchObject({ problem: addressDoubtMessages[doubt](address ?? 'unknown') })
    }
  })

  test('may be typed where the own address is doubtful', () => {
    const ends = sourceEnds(names, { address: '10.0.0.7', doubt: 'private' })
    expect(read('10.0.0.7', 'source', ends)).toBe('ip 10.0.0.7')
  })

  test('is ambiguous where an instance is called like another choice', () => {
    const ends = sourceEnds({ ...names, instances: ['anywhere'] }, undefined)
    expect(read('anywhere', 'source', ends)).toBe(
      'Several have this name. Choose one in the list: “Anywhere” or “anywhere”',
    )
    expect(read('instance/anywhere', 'source', ends)).toBe('instance anywhere')
  })

  test('has no own address where the control plane does not tell it', () => {
    expect(read('mine', 'source', sourceEnds(names, undefined))).toBe(
      sourceMessages.unknown('mine'),
    )
  })
})

test.each([
  ['instance/db-1', 'instance db-1'],
  ['db-1', 'instance db-1'],
  ['vpc/default', 'vpc default'],
  ['', 'Choose the target'],
  ['anywhere', '“anywhere” is not in the list. Other targets are under “More options”'],
  ['10.0.0.1', '“10.0.0.1” is not in the list. Other targets are under “More options”'],
])('the target %j: %s', (text, outcome) => expect(read(text, 'target')).toBe(outcome))
