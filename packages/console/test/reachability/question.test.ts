import type { Reachability, ReachabilityStep } from '@steading/api/client'
import { expect, test } from 'vitest'
import { questionOf } from '../../src/networking/reachability/question.ts'
import { readQuestionSearch } from '../../src/networking/reachability/search.ts'
import { sentenceOf } from '../../src/networking/reachability/sentence.ts'
import { stopsOf } from '../../src/networking/topology/packet-path.ts'

test('an address contains a complete question', () => {
  const search = readQuestionSearch({
    from: 'instance:bastion/net1',
    to: '10.0.0.5',
    protocol: 'tcp',
    port: 5432,
    version: 'v4',
  })
  expect(questionOf('mill', search)).toEqual({
    query: { project: 'mill' },
    body: {
      from: { type: 'instance', instance: 'bastion', interface: 'net1' },
      to: { type: 'address', address: '10.0.0.5' },
      protocol: 'tcp',
      port: 5432,
      ipVersion: 'v4',
    },
  })
})

test('a question about ICMP has no port, and one without a type asks for an echo', () => {
  const search = { from: 'internet', to: 'instance:db', protocol: 'icmp', port: 80 } as const
  expect(questionOf('mill', search)?.body).toEqual({
    from: { type: 'internet' },
    to: { type: 'instance', instance: 'db' },
    protocol: 'icmp',
  })
  expect(questionOf('mill', { ...search, type: 3, code: 4 })?.body).toMatchObject({
    icmpType: 3,
    icmpCode: 4,
  })
})

test.each([
  { to: 'instance:db', port: 80 },
  { from: 'internet', port: 80 },
  { from: 'internet', to: 'instance:', port: 80 },
  { from: 'internet', to: 'db', port: 80 },
  { from: 'internet', to: '10.0.0.256', port: 80 },
  { from: 'internet', to: 'instance:db' },
  { from: 'internet', to: 'instance:db', port: 0 },
  { from: 'internet', to: 'instance:db', port: 65_536 },
  { from: 'internet', to: 'instance:db', port: 'http' },
  { from: 'internet', to: 'instance:db', port: 1.5 },
  { from: 'internet', to: 'instance:db', protocol: 'icmp', type: 256 },
  { from: ['internet'], to: { a: 1 }, port: null },
])('an incomplete question is ignored: %j', (search) => {
  expect(questionOf('mill', readQuestionSearch(search))).toBeUndefined()
})

const step = (parts: Partial<ReachabilityStep>): ReachabilityStep => ({
  kind: 'firewall',
  passed: true,
  reason: '',
  source: '1.1.1.1',
  destination: '172.30.0.5',
  translation: null,
  vpc: null,
  subnet: null,
  instance: null,
  interface: null,
  direction: null,
  rule: null,
  router: null,
  route: null,
  internetGateway: null,
  externalIp: null,
  externalSubnet: null,
  rules: [],
  routes: [],
  ...parts,
})
const answer = (parts: Partial<Reachability>): Reachability => ({
  reachable: false,
  reason: 'No rule allows it, and inbound traffic is denied by default.',
  ipVersion: 'v4',
  protocol: 'tcp',
  port: 5432,
  icmpType: null,
  icmpCode: null,
  source: '1.1.1.1',
  destination: '172.30.0.5',
  there: [],
  arrives: false,
  back: [],
  ...parts,
})

test('the sentence names an unreachable target and the reason', () => {
  expect(sentenceOf({ from: 'internet', to: 'instance:db' }, answer({}))).toBe(
    'The internet cannot reach db on TCP 5432: no rule allows it, and inbound traffic is denied by default.',
  )
})

test('the sentence names the rule that admits a packet', () => {
  const letIn = step({
    direction: 'inbound',
    rule: { id: 'r', name: 'allow-pg' },
    reason: 'The inbound rule allow-pg allows it.',
  })
  const arrived = step({ kind: 'delivery', reason: 'It arrives at instance db (net0).' })
  const reached = answer({
    reachable: true,
    arrives: true,
    reason: arrived.reason,
    there: [letIn, arrived],
  })
  expect(sentenceOf({ from: 'instance:bastion', to: 'instance:db' }, reached)).toBe(
    'bastion reaches db on TCP 5432: the inbound rule allow-pg allows it.',
  )
})

test('steps at one place form one stop, and the step that stops the packet is marked', () => {
  const nic = { id: 'nic', name: 'net0' }
  const stops = stopsOf([
    step({ kind: 'endpoint' }),
    step({ kind: 'outside', interface: nic }),
    step({ kind: 'source', interface: nic }),
    step({ interface: nic, passed: false }),
  ])
  expect(stops.map(({ item, steps, blocked }) => [item, steps.length, blocked])).toEqual([
    ['internet', 2, false],
    ['nic', 2, true],
  ])
})
