/** Compares the model with a naive walk in random clouds. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedPorts, ask, compile, decide, hasPort, protocolsOf } from '../src/index.ts'
import { naive } from './support/naive.ts'
import { questions, worlds } from './support/random-world.ts'
import { long } from '../../control-plane/test/support/long.ts'

const asked = worlds.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.array(questions(rows), { minLength: 8, maxLength: 8 })),
)

test("answers equal the naive walk's, packet by packet and rule by rule", () => {
  fc.assert(
    fc.property(asked, ([rows, list]) => {
      const network = compile(rows)
      for (const question of list) {
        const answer = ask(network, question)
        const { source, destination, protocol, port, icmp_type, icmp_code } = answer
        // An end has no address of that version.
        if (source === null || destination === null) continue
        const traffic =
          port === null ? { protocol, type: icmp_type!, code: icmp_code! } : { protocol, port }
        const nic = answer.there[0]!.interface?.id ?? null
        const { arrives, reachable } = answer
        expect({ arrives, reachable }).toEqual(naive(rows, { nic, source, destination }, traffic))
      }
    }),
    { numRuns: long ? 500 : 100 },
  )
})

test('random clouds have good coverage: packets get lost and arrive in every way', () => {
  const counts: Record<string, number> = {}
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1)
  for (const [rows, list] of fc.sample(asked, { seed: 1, numRuns: 400 })) {
    const network = compile(rows)
    for (const question of list) {
      const { reachable, arrives, there, back } = ask(network, question)
      count(reachable ? 'reachable' : arrives ? 'unanswered' : 'lost')
      for (const step of [...there, ...back]) count(`${step.kind} ${step.passed}`)
    }
  }
  const wanted = [
    'reachable',
    'unanswered',
    'lost',
    'machine false',
    'delivery false',
    ...['source', 'firewall', 'route', 'gateway', 'outside'].flatMap((kind) => [
      `${kind} true`,
      `${kind} false`,
    ]),
  ]
  expect(wanted.filter((what) => !counts[what])).toEqual([])
})

test('the set of allowed ports equals the ports allowed one by one', () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (rows, pick) => {
      const { interfaces } = compile(rows)
      const all = [...interfaces.values()]
      const at = all[pick % all.length]!
      const other = all[(pick * 7 + 1) % all.length]!
      for (const direction of ['inbound', 'outbound'] as const) {
        for (const version of ['v4', 'v6'] as const) {
          const address = other.addresses[version]
          if (!address) continue
          const peer = { address, inside: other.vpc === at.vpc }
          for (const protocol of protocolsOf(version)) {
            const ports = allowedPorts(at, direction, peer, protocol)
            for (const port of [
              1, 22, 23, 80, 443, 444, 768, 999, 1000, 2048, 8080, 8081, 65_535,
            ]) {
              const { action } = decide(at, direction, peer, protocol, port)
              expect(hasPort(ports, port)).toBe(action === 'allow')
            }
          }
        }
      }
    }),
  )
})
