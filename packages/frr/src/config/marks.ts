/**
 * What in FRR's configuration is ours, beside what others have there. Everything of ours is found
 * again by its mark, whoever has written it.
 */
import { partsOf, type Section, sectionsOf, sectionWith } from './sections.ts'

/** Begins the names of our lists, maps and profiles, and describes our interfaces. */
export const MARK = 'steading'
/** The tag of our static routes. */
export const ROUTE_TAG = 1_937_007_981
/** A group of peers without members, which is there in a BGP instance of ours. */
export const BGP_MARK = ` neighbor ${MARK} peer-group`
export const INTERFACE_MARK = ` description ${MARK}`
/** The interface of addresses that belong to no port. */
export const LOOPBACK = 'lo'

export const interfaceHead = (name: string): string => `interface ${name}`

const ownLists = new RegExp(`^(?:ip(?:v6)? prefix-list|route-map) ${MARK}-`)
const ownRoute = new RegExp(`^ip(?:v6)? route .* tag ${ROUTE_TAG}(?: |$)`)
const isDefaultBgp = (head: string): boolean => /^router bgp \d+$/.test(head)

/** Whether a part of the section `bfd` is ours. */
const isOwnBfd = ({ head, body }: Section): boolean =>
  head.startsWith(`profile ${MARK}-`) || body.some((line) => line.startsWith(` profile ${MARK}-`))

/** What is ours in a running configuration, and what is not. */
export interface Running {
  own: Section[]
  others: Section[]
  /** Why our BGP instance, or our addresses of the loopback interface, have no place there. */
  inTheWay: Partial<Record<'bgp' | 'loopback', string>>
}

/** @param ports the interfaces that the operator has named, whose sections are all ours */
export function readRunning(text: string, ports: ReadonlySet<string>): Running {
  const running: Running = { own: [], others: [], inTheWay: {} }
  for (const section of sectionsOf(text)) {
    const { head, body } = section
    const [kind, name = ''] = head.split(' ')
    const isMarked = body.includes(INTERFACE_MARK)
    if (head === 'bfd') {
      for (const isOwn of [true, false]) {
        const parts = partsOf(section).filter((part) => isOwnBfd(part) === isOwn)
        if (parts.length === 0) continue
        running[isOwn ? 'own' : 'others'].push(sectionWith('bfd', parts))
      }
      continue
    }
    const isOwn =
      ownLists.test(head) ||
      ownRoute.test(head) ||
      (isDefaultBgp(head) && body.includes(BGP_MARK)) ||
      // A mark on an interface that is no port any more is left from when it was one.
      (kind === 'interface' && (ports.has(name) || isMarked))
    running[isOwn ? 'own' : 'others'].push(section)
    if (isOwn) continue
    if (isDefaultBgp(head)) running.inTheWay.bgp = head
    if (head === interfaceHead(LOOPBACK)) running.inTheWay.loopback = head
  }
  return running
}

/** The configuration with the sections of others, and ours. */
export function merged(others: readonly Section[], own: readonly Section[]): Section[] {
  const bfd = [...others, ...own].filter(({ head }) => head === 'bfd')
  const rest = [...others, ...own].filter(({ head }) => head !== 'bfd')
  return bfd.length < 2 ? [...others, ...own] : [...rest, sectionWith('bfd', bfd.flatMap(partsOf))]
}
