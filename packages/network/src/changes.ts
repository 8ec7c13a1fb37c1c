/**
 * Connections that a change would open and close: between all pairs of instances of a VPC, and
 * between an instance and the outside. Indistinguishable instances are compared once, and only
 * affected pairs and traffic are compared.
 */
import type { NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import { changedRules, type Matter, matterOf, Numbers, RuleContents } from './changed-rules.ts'
import { internetAddress } from './ends.ts'
import { InstanceKinds } from './instance-kinds.ts'
import type { Instance, Network, Rule } from './model.ts'
import { OpenSets, PairPorts, type Side } from './pair-ports.ts'
import { outsideNetworks, type Party } from './parties.ts'
import type { Named } from './rows.ts'
import { type ChangedTraffic, type Difference, differenceOf } from './traffic-changes.ts'

/** The internet, or one of its networks that is named in a rule. */
export const INTERNET = 'internet'

export interface ChangeEnds {
  /** The first instances by name. */
  instances: Named[]
  /** Total number of instances. */
  total: number
  /** External networks, like `203.0.113.0/24`, or `internet`. */
  outside: string[]
}

/** An equal change between each of some sources and each of some destinations. */
export interface ConnectionChange {
  from: ChangeEnds
  to: ChangeEnds
  /** Number of these pairs. */
  pairs: number
  gained: ChangedTraffic[]
  lost: ChangedTraffic[]
}

export interface Changes {
  /** Changes with losses come first. */
  changes: ConnectionChange[]
  /** Number of changes omitted from the list. */
  more_changes: number
  /** Parts that were not compared. */
  left_out: { instances: number; networks: number; pairs: number }
}

export type ChangeLimits = Record<keyof typeof NETWORK_CHANGE_LIMITS, number>

/** Instances, or pairs of them, to process before yielding to the caller. */
const PIECE = 20

/** An instance of the VPC, before and after. */
interface Member {
  row: Named
  was: Instance | undefined
  is: Instance | undefined
}

/** All instances of the VPC before or after the change, by name. */
function membersOf(before: Network, after: Network, vpcId: string): Member[] {
  const rows = new Map<string, Named>()
  for (const network of [before, after]) {
    for (const at of network.vpcs.get(vpcId)?.interfaces ?? []) {
      if (!at.instance.row.probe) rows.set(at.instance.row.id, at.instance.row)
    }
  }
  return [...rows.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((row) => ({ row, was: before.instances.get(row.id), is: after.instances.get(row.id) }))
}

/** Rules that differ at the interfaces of instances. */
function* rulesThatDiffer(
  members: readonly Member[],
  contents: RuleContents,
): Generator<void, Rule[]> {
  const changed = new Set<Rule>()
  /** Interfaces with the same rules share their lists. */
  const compared = new Map<readonly Rule[], Set<readonly Rule[]>>()
  for (const [index, { was, is }] of members.entries()) {
    if (index % PIECE === 0) yield
    for (const at of was?.interfaces ?? []) {
      const now = is?.interfaces.find(({ row }) => row.id === at.row.id)
      for (const direction of ['inbound', 'outbound'] as const) {
        const others = compared.get(at[direction]) ?? new Set()
        compared.set(at[direction], others)
        if (!now || others.has(now[direction])) continue
        others.add(now[direction])
        for (const rule of changedRules(at[direction], now[direction], contents)) changed.add(rule)
      }
    }
  }
  return [...changed]
}

/**
 * The traffic that a change affects: all traffic, or the matches of some rules if only rules
 * change.
 */
function* matterBetween(
  kinds: (matter: Matter) => [InstanceKinds, InstanceKinds],
  members: readonly Member[],
  contents: RuleContents,
): Generator<void, Matter> {
  const everything = matterOf('all')
  const [was, is] = kinds(everything)
  for (const [index, one] of members.entries()) {
    if (was.placeOf(one.was) !== is.placeOf(one.is)) return everything
    if (index % PIECE === 0) yield
  }
  return matterOf(yield* rulesThatDiffer(members, contents))
}

interface Group {
  members: Party[]
  changed: boolean
  /** Two members of a group, before and after. */
  sides: { was: Side; is: Side }[]
}

/** Number of pairs of two groups; an instance does not connect to itself. */
const pairsOf = (from: Group, to: Group): number =>
  from.members.length * (from === to ? from.members.length - 1 : to.members.length)

function endsOf(groups: Iterable<Group>, names: number): ChangeEnds {
  const members = [...groups].flatMap((group) => group.members)
  const instances = members
    .flatMap((one) => (one.type === 'instance' ? [{ id: one.id, name: one.name }] : []))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const outside = members.flatMap((one) => (one.type === 'outside' ? [one.name] : []))
  return { instances: instances.slice(0, names), total: instances.length, outside }
}

const sideOf = (party: Party, instance: Instance | undefined, way: number): Side => ({
  party,
  instance,
  way,
})

/**
 * Compares two states of a VPC. Instances of other VPCs count as external. Yields to the caller
 * after each bit of work.
 */
export function* compareNetworks(
  before: Network,
  after: Network,
  vpcId: string,
  limits: ChangeLimits,
): Generator<void, Changes> {
  const members = membersOf(before, after, vpcId)
  const numbers = new Numbers()
  const contents = new RuleContents()
  const kinds = (matter: Matter) =>
    [before, after].map(
      (network) => new InstanceKinds(network, vpcId, { matter, numbers, contents }),
    ) as [InstanceKinds, InstanceKinds]
  const matter = yield* matterBetween(kinds, members, contents)
  const [was, is] = kinds(matter)
  yield
  let throughOthers = false
  const changed: Member[] = []
  const same: Member[] = []
  for (const [index, member] of members.entries()) {
    const isChanged = was.contentOf(member.was) !== is.contentOf(member.is)
    ;(isChanged ? changed : same).push(member)
    const { id } = member.row
    if (isChanged && (was.nextHops.has(id) || is.nextHops.has(id))) throughOthers = true
    if (index % PIECE === 0) yield
  }
  const concerned = [...changed, ...same]
  const groups = new Map<string, Group>()
  for (const [index, member] of concerned.slice(0, limits.instances).entries()) {
    const { id, name } = member.row
    const ways = [was.wayOf(member.was), is.wayOf(member.is)] as const
    const key = [index < changed.length, ...ways, was.rulesOf(member.was), is.rulesOf(member.is)]
    const party = { type: 'instance' as const, id, name }
    const group = groups.get(key.join(' ')) ?? {
      members: [],
      changed: index < changed.length,
      sides: [],
    }
    groups.set(key.join(' '), group)
    group.members.push(party)
    if (group.sides.length < 2) {
      group.sides.push({
        was: sideOf(party, member.was, ways[0]),
        is: sideOf(party, member.is, ways[1]),
      })
    }
    if (index % PIECE === 0) yield
  }
  const networks = [...outsideNetworks([before, after], vpcId)]
  const internet: Party = {
    type: 'outside',
    name: INTERNET,
    address: {
      v4: internetAddress([before, after], 'v4'),
      v6: internetAddress([before, after], 'v6'),
    },
  }
  const outside = [internet, ...networks.slice(0, limits.networks)].map((party, index): Group => {
    // Path numbers of instances are not negative.
    const side = sideOf(party, undefined, -2 - index)
    return { members: [party], changed: false, sides: [{ was: side, is: side }] }
  })

  const all = [...groups.values(), ...outside]
  const sets = new OpenSets()
  const wasOpen = new PairPorts(before, was, matter, sets)
  const isOpen = new PairPorts(after, is, matter, sets)
  /** Difference → source groups → destination groups. */
  const found = new Map<Difference, Map<Group, Group[]>>()
  const differences = new Map<string, Difference>()
  const known = new Map<string, Difference>()
  /** Difference between two groups; undefined if there is none. */
  const differenceBetween = (from: Group, to: Group): Difference | undefined => {
    const sender = from.sides[0]!
    const receiver = (from === to ? to.sides[1] : to.sides[0])!
    const wasV4 = wasOpen.between(sender.was, receiver.was, 'v4')
    const wasV6 = wasOpen.between(sender.was, receiver.was, 'v6')
    const isV4 = isOpen.between(sender.is, receiver.is, 'v4')
    const isV6 = isOpen.between(sender.is, receiver.is, 'v6')
    if (wasV4 === isV4 && wasV6 === isV6) return undefined
    const key = `${wasV4} ${wasV6} ${isV4} ${isV6}`
    let difference = known.get(key)
    if (!difference) {
      difference = differenceOf(
        { v4: sets.at(wasV4), v6: sets.at(wasV6) },
        { v4: sets.at(isV4), v6: sets.at(isV6) },
      )
      const text = JSON.stringify(difference)
      difference = differences.get(text) ?? difference
      differences.set(text, difference)
      known.set(key, difference)
    }
    return difference
  }
  let compared = 0
  let pairsLeftOut = 0
  for (const to of all) {
    for (const from of all) {
      if (from.members[0]!.type === 'outside' && to.members[0]!.type === 'outside') continue
      const pairs = pairsOf(from, to)
      if (pairs === 0 || !(from.changed || to.changed || throughOthers)) continue
      if (compared === limits.pairs) {
        pairsLeftOut += pairs
        continue
      }
      if (++compared % PIECE === 0) yield
      const difference = differenceBetween(from, to)
      if (!difference) continue
      let byTo = found.get(difference)
      if (!byTo) found.set(difference, (byTo = new Map()))
      const senders = byTo.get(to)
      if (senders) senders.push(from)
      else byTo.set(to, [from])
    }
  }

  const changes: ConnectionChange[] = []
  const groupNumbers = new Map(all.map((group, index) => [group, index]))
  for (const [difference, byTo] of found) {
    yield
    const byFrom = new Map<string, { from: Group[]; to: Group[] }>()
    for (const [to, from] of byTo) {
      const key = from.map((group) => groupNumbers.get(group)).join(' ')
      const same = byFrom.get(key) ?? { from, to: [] }
      same.to.push(to)
      byFrom.set(key, same)
    }
    for (const { from, to } of byFrom.values()) {
      let pairs = 0
      for (const one of to) for (const other of from) pairs += pairsOf(other, one)
      changes.push({
        from: endsOf(from, limits.names),
        to: endsOf(to, limits.names),
        pairs,
        ...difference,
      })
      yield
    }
  }
  const rank = ({ lost }: ConnectionChange) => (lost.length > 0 ? 0 : 1)
  changes.sort((a, b) => rank(a) - rank(b) || b.pairs - a.pairs)
  return {
    changes: changes.slice(0, limits.changes),
    more_changes: Math.max(0, changes.length - limits.changes),
    left_out: {
      instances: Math.max(0, members.length - limits.instances),
      networks: Math.max(0, networks.length - limits.networks),
      pairs: pairsLeftOut,
    },
  }
}
