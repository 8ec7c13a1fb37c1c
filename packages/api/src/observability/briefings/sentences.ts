/** The sentences that say how a project, a silo, the fleet or an instance is doing. */
import type { InstanceState } from '../../compute/instances/rules.ts'
import { inPath } from '../issues/rules.ts'

/** How urgent a sentence is, worst first; `plain` only tells. */
export const sentenceTones = ['failed', 'attention', 'works', 'plain'] as const
export type SentenceTone = (typeof sentenceTones)[number]

/** Words, with the page of the console that they speak of, or a moment in RFC 3339. */
export interface SentencePart {
  text: string
  path: string | null
  time_told: string | null
}

export interface Sentence {
  tone: SentenceTone
  parts: SentencePart[]
}

const words = (text: string): SentencePart => ({ text, path: null, time_told: null })
const link = (text: string, path: string | null): SentencePart => ({ text, path, time_told: null })
const moment = (time: string): SentencePart => ({ text: time, path: null, time_told: time })

const sentence = (tone: SentenceTone, ...parts: (SentencePart | string)[]): Sentence => ({
  tone,
  parts: parts.map((part) => (typeof part === 'string' ? words(part) : part)),
})

/** "One alert", "3 alerts", and "At least 50 alerts" of those that were not all counted. */
function amount({ count, atLeast = false }: Counted, one: string, many: string): string {
  if (atLeast) return `At least ${count} ${many}`
  return count === 1 ? `One ${one}` : `${count} ${many}`
}

interface Counted {
  count: number
  /** There may be more than were counted. */
  atLeast?: boolean
}

/** Something that needs attention: what is said of it alone, and its page. */
export interface Trouble {
  name: string
  sentence: string
  path: string
  /** RFC 3339; null if that is not known. */
  began: string | null
}

/** Troubles of one sort. */
export interface Troubles extends Counted {
  /** Any of them, also if there are more. */
  first: Trouble | undefined
  /** Beginning of the oldest; null if that is not known. */
  since: string | null
  /** Some of them are as bad as a failure. */
  critical?: boolean
}

export interface TroubleFacts {
  failed: Troubles
  alerts: Troubles
  others: Troubles
  /** Page with all failed instances, and the page with everything that needs attention. */
  paths: { failed: string; attention: string }
}

function failedSentence({ failed, paths }: TroubleFacts): Sentence[] {
  const { count, first } = failed
  if (count === 0) return []
  if (count === 1 && first) {
    return [sentence('failed', link(first.name, first.path), ' has failed.')]
  }
  const all = link(amount(failed, 'instance', 'instances'), paths.failed)
  return [sentence('failed', all, count === 1 ? ' has failed.' : ' have failed.')]
}

function alertSentence({ alerts, paths }: TroubleFacts): Sentence[] {
  const { count, first, since } = alerts
  if (count === 0) return []
  const one = count === 1 && !alerts.atLeast
  const all = link(amount(alerts, 'alert', 'alerts'), (one && first?.path) || paths.attention)
  const time = since === null ? [] : [one ? ' since ' : ', the first since ', moment(since)]
  const tone = alerts.critical ? 'failed' : 'attention'
  const verb = one ? (since === null ? 'is' : 'has been') : 'are'
  return [sentence(tone, all, ` ${verb} firing`, ...time, '.')]
}

function otherSentence({ failed, alerts, others, paths }: TroubleFacts): Sentence[] {
  const { count, first } = others
  if (count === 0) return []
  if (count === 1 && first && !others.atLeast) {
    return [sentence('attention', link(first.sentence, first.path), '.')]
  }
  const more = failed.count + alerts.count > 0
  const things = more
    ? amount(others, 'other thing', 'other things')
    : amount(others, 'thing', 'things')
  const need = count === 1 && !others.atLeast ? ' needs attention.' : ' need attention.'
  return [sentence('attention', link(things, paths.attention), need)]
}

const isQuiet = ({ failed, alerts, others }: TroubleFacts): boolean =>
  failed.count + alerts.count + others.count === 0

/**
 * Failures come first, then what is said about the place, and last the rest of what needs
 * attention.
 * @param isEmpty there is nothing that could need attention
 */
function around(facts: TroubleFacts, told: Sentence[], isEmpty: boolean): Sentence[] {
  const rest = [...alertSentence(facts), ...otherSentence(facts)]
  const quiet = isQuiet(facts) && !isEmpty ? [sentence('works', 'Nothing needs attention.')] : []
  return [...failedSentence(facts), ...told, ...rest, ...quiet]
}

/** Instances of the places that a caller may read. */
export interface InstanceFacts {
  total: number
  running: number
  /** Page with the running instances; null where there is none. */
  path: string | null
}

/** @param within ` in your projects`, as far as it is not clear from the page */
function instanceSentence({ total, running, path }: InstanceFacts, within = ''): Sentence {
  if (total === 0) return sentence('plain', `There are no instances${within || ' yet'}.`)
  if (running === 0) {
    return sentence(
      'plain',
      total === 1
        ? `The only instance${within} is not running.`
        : `None of the ${total} instances${within} is running.`,
    )
  }
  const all = link(amount({ count: running }, 'instance', 'instances'), path)
  return sentence('plain', all, `${running === 1 ? ' is' : ' are'} running${within}.`)
}

export const projectSentences = (facts: TroubleFacts & { instances: InstanceFacts }): Sentence[] =>
  around(facts, [instanceSentence(facts.instances)], facts.instances.total === 0)

export interface SiloFacts extends TroubleFacts {
  instances: InstanceFacts
  /** Projects that the caller may read. */
  projects: number
  /** Whether these are all projects of the silo. */
  readsAll: boolean
}

export function siloSentences({ instances, projects, readsAll, ...facts }: SiloFacts): Sentence[] {
  if (projects === 0) {
    const none = readsAll ? 'There are no projects yet.' : 'You have no role in a project yet.'
    return around(facts, [sentence('plain', none)], true)
  }
  const within = readsAll ? '' : ' in your projects'
  return around(facts, [instanceSentence(instances, within)], instances.total === 0)
}

export interface FleetFacts extends TroubleFacts {
  /** Sleds that were not expunged. */
  sleds: { total: number; inService: number; path: string }
}

export function fleetSentences({ sleds, ...facts }: FleetFacts): Sentence[] {
  const { total, inService, path } = sleds
  const said =
    total === 0
      ? sentence('plain', 'There are no sleds yet.')
      : total === inService
        ? sentence(
            'plain',
            link(amount({ count: total }, 'sled', 'sleds'), path),
            `${total === 1 ? ' is' : ' are'} in service.`,
          )
        : sentence(
            'plain',
            link(`${inService} of ${total} sleds`, path),
            `${inService === 1 ? ' is' : ' are'} in service.`,
          )
  return around(facts, [said], false)
}

export interface OneInstanceFacts {
  state: InstanceState
  /** When it got its state. */
  since: string
  /** Why it needs attention in a state that looks well, such as paused; without the stop. */
  trouble: string | null
  /** Its sled, for callers who may know. */
  sled: { name: string; path: string } | undefined
  alerts: Troubles
}

/** Beginning of the sentence about an instance in a state. */
const stateWords: Record<InstanceState, string> = {
  creating: 'Being created',
  starting: 'Starting',
  running: 'Running',
  stopping: 'Stopping',
  stopped: 'Stopped',
  rebooting: 'Rebooting',
  migrating: 'Moving to another sled',
  repairing: 'Being repaired',
  failed: 'Failed',
  destroyed: 'Deleted',
}

export function oneInstanceSentences(facts: OneInstanceFacts): Sentence[] {
  const { state, since, trouble, sled, alerts } = facts
  const place = sled ? [' on sled ', link(sled.name, sled.path)] : []
  const tone = state === 'failed' ? 'failed' : state === 'repairing' ? 'attention' : 'plain'
  const paths = { failed: '', attention: '' }
  const nothing = { count: 0, first: undefined, since: null }
  const firing = alertSentence({ failed: nothing, alerts, others: nothing, paths })
  const isQuiet = tone === 'plain' && trouble === null && firing.length === 0
  return [
    ...(trouble === null ? [] : [sentence('attention', `${trouble}.`)]),
    sentence(tone, `${stateWords[state]} since `, moment(since), ...place, '.'),
    ...firing.map((each) => ({
      ...each,
      // The page itself lists them.
      parts: each.parts.map((part) => (part.path === '' ? words(part.text) : part)),
    })),
    ...(isQuiet ? [sentence('works', 'Nothing needs attention.')] : []),
  ]
}

/** A list of instances in some states. */
export const instancesPath = (project: string, state: InstanceState): string =>
  `/projects/${inPath(project)}/instances?state=${state}`
