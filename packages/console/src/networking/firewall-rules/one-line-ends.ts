/** The sources and targets that the editor in one line offers, and typed ones. */
import type { OwnAddress } from '@steading/api/client'
import {
  addressDoubtMessages,
  hostInWords,
  parseSource,
  sourceMessages,
  type SpokenHost,
} from '@steading/api/rules'

/** An end of traffic; no host stands for anywhere. */
export type End = {
  /** In the form: its kind and its name, which no typed address looks like. */
  value: string
  label: string
  detail?: string
  host: SpokenHost | null
  /** Why it cannot be used. */
  problem?: string
}

const ANYWHERE: End = { value: 'host/anywhere', label: 'Anywhere', host: null }

/** A resource in the VPC. */
const named = (type: SpokenHost['type'], name: string, detail: string): End => {
  const host = { type, value: name }
  return { value: `${type}/${name}`, label: hostInWords(host), detail, host }
}

type Names = { vpc: string; subnets: readonly string[]; instances: readonly string[] }

/** Targets: instances, subnets, and the whole VPC. */
export const targetEnds = ({ vpc, subnets, instances }: Names): End[] => [
  ...instances.map((name) => named('instance', name, 'instance')),
  ...subnets.map((name) => named('subnet', name, 'its instances')),
  named('vpc', vpc, 'all instances'),
]

function ownEnd({ address, doubt }: OwnAddress): End {
  const shown = address ?? 'unknown'
  return {
    value: 'host/mine',
    label: `My address (${shown})`,
    host: { type: 'ip', value: shown },
    problem: doubt ? addressDoubtMessages[doubt](shown) : undefined,
  }
}

/** Sources: anywhere, the caller's own address where the server tells it, and the targets. */
export const sourceEnds = (names: Names, own: OwnAddress | undefined): End[] => [
  ANYWHERE,
  ...(own ? [ownEnd(own)] : []),
  ...targetEnds(names),
]

const inList = (words: string[]): string => words.map((word) => `“${word}”`).join(' or ')

/** Reads a chosen or typed end. Only sources may be addresses that are not offered. */
export function readEnd(
  text: string,
  ends: readonly End[],
  kind: 'source' | 'target',
): { end: End } | { problem: string; refused?: End } {
  const typed = text.trim()
  if (typed === '') {
    return { problem: kind === 'source' ? sourceMessages.empty : 'Choose the target' }
  }
  const small = typed.toLowerCase()
  const chosen = ends.find(({ value }) => value === typed)
  // A bare name will do, but an instance and a subnet may share it.
  const found = chosen
    ? [chosen]
    : ends.filter(
        ({ value, label }) => value.endsWith(`/${small}`) || label.toLowerCase() === small,
      )
  if (found.length > 1) {
    return {
      problem: `Several have this name. Choose one in the list: ${inList(found.map(({ label }) => label))}`,
    }
  }
  const [end] = found
  if (end) return end.problem ? { problem: end.problem, refused: end } : { end }
  if (kind === 'target') {
    return { problem: `“${typed}” is not in the list. Other targets are under “More options”` }
  }
  const source = parseSource(typed)
  return 'problem' in source
    ? source
    : { end: { value: typed, label: source.host.value, host: source.host } }
}
