/**
 * Actions of users as sentences without their subject: `created disk grain`, `attached disk grain to
 * instance mill`, `could not delete VPC yard`. Every page and message about actions shows these.
 */
import { type KindName, kindsWithinProject, kindTable } from '../../kinds/index.ts'
import { inWords, withArticle } from '../../rules/texts.ts'
import type { JobAction } from '../../workspace/jobs/rules.ts'
import { actionPhrases, irregularPasts, jobPhrases } from './phrases.ts'

/** Names and texts of an action besides its target, by their placeholders. */
export type ActionFacts = Readonly<Record<string, string>>

/** An action to tell. */
export interface Told {
  operation: string
  target?: { kind: string; name: string } | null
  facts?: ActionFacts | null
  /** The call was refused, or failed. */
  failed?: boolean
  /** Number of like actions that the sentence tells at once. */
  count?: number
  /** There were more like actions than were counted. */
  isMore?: boolean
}

/** Plans of jobs and the like: calls that change nothing for anybody else. */
export const untoldOperations: readonly string[] = ['job_create', 'job_delete']

const usualVerbs: Readonly<Record<string, string>> = {
  create: 'create',
  update: 'change',
  delete: 'delete',
}

/** The phrase of an operation; undefined if it has none. */
export function phraseOf(operation: string): { phrase: string; with?: string } | undefined {
  if (Object.hasOwn(actionPhrases, operation)) {
    const own = actionPhrases[operation as keyof typeof actionPhrases]
    return typeof own === 'string' ? { phrase: own } : own
  }
  const verb = usualVerbs[/_(create|update|delete)$/.exec(operation)?.[1] ?? '']
  return verb === undefined ? undefined : { phrase: `${verb} {target}` }
}

const PLACEHOLDER = /\{(\w+)(?::([^}]*))?\}/g

/** The placeholders of an operation besides its target. */
export function factNamesOf(operation: string): string[] {
  const { phrase = '', with: more = '' } = phraseOf(operation) ?? {}
  const names = [...`${phrase}${more}`.matchAll(PLACEHOLDER)].map(([, name]) => name!)
  return names.filter((name) => name !== 'target')
}

/** The words of a kind; for an action, a template of a silo is a template. */
const wordsOf = (kind: string): string =>
  Object.hasOwn(kindTable, kind)
    ? kindTable[kind as KindName].words.replace(/ of (a|the) .*/, '')
    : kind.replaceAll('_', ' ')

const pluralOf = (kind: string): string => wordsOf(kind).replace(/([^s])$/, '$1s')

const nameOf = (kind: string, name: string | undefined): string =>
  name ? `${wordsOf(kind)} ${name}` : withArticle(wordsOf(kind))

function pastOf(verb: string): string {
  const irregular = irregularPasts[verb]
  if (irregular) return irregular
  if (verb.endsWith('e')) return `${verb}d`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}

/** `permanently delete`: a word before the verb. */
const ADVERBS = /^(permanently )?(\S+)/

const inPast = (phrase: string): string =>
  phrase.replace(ADVERBS, (_, adverb: string = '', verb: string) => `${adverb}${pastOf(verb)}`)

/**
 * The sentence about an action, without the user's name before it. A phrase with facts is used if
 * all of them are known. An operation that this version does not know is told by its id.
 */
export function actionSentence(told: Told): string {
  const { operation, target, facts, failed, count = 1 } = told
  const amount = told.isMore ? `at least ${count}` : String(count)
  const found = phraseOf(operation)
  if (!found) return `called ${operation}`
  const filled = (text: string) =>
    text.replaceAll(PLACEHOLDER, (_, name: string, otherwise?: string) => {
      if (name === 'target') {
        if (!target) return 'a resource'
        return count > 1 ? `${amount} ${pluralOf(target.kind)}` : nameOf(target.kind, target.name)
      }
      const fact = count > 1 ? undefined : facts?.[name]
      if (fact === undefined) return otherwise ?? withArticle(wordsOf(name))
      return Object.hasOwn(kindTable, name) ? nameOf(name, fact) : fact
    })
  if (failed) return `could not ${filled(found.phrase)}`
  if (found.with && count === 1 && factNamesOf(operation).every((name) => facts?.[name])) {
    return filled(found.with)
  }
  const times = count > 1 && !found.phrase.includes('{target}') ? ` ${amount} times` : ''
  return `${filled(inPast(found.phrase))}${times}`
}

/** The targets of a job. */
export interface JobTargets {
  kind: KindName
  count: number
  /** Of the only target, with those of its containers. */
  name?: string | null
  inside?: readonly string[]
}

const THOUSANDS = new Intl.NumberFormat('en-US')

/** `snapshot disk grain`, `delete subnet front of VPC yard`, `stop 1,204 instances` */
export function jobPhrase(
  action: JobAction,
  { kind, count, name, inside = [] }: JobTargets,
): string {
  const kinds = [kind, ...kindsWithinProject(kind)]
  const what = name
    ? [name, ...inside].map((each, index) => nameOf(kinds[index]!, each)).join(' of ')
    : count === 1
      ? `1 ${wordsOf(kind)}`
      : `${THOUSANDS.format(count)} ${pluralOf(kind)}`
  return jobPhrases[action].replace('{target}', () => what)
}

/** The verb of an action of jobs: `Snapshot`. */
export const jobVerb = (action: JobAction): string => {
  const [verb = ''] = jobPhrases[action].split(' ')
  return verb.charAt(0).toUpperCase() + verb.slice(1)
}

/** A role of a user or group; without a name if there is no such user any more. */
export interface RoleOf {
  name: string | undefined
  role: string
}

/** Roles that a sentence about a policy names. */
export const ROLES_TOLD = 3

/** `gave mem the role collaborator, and took the role viewer from ann` */
export function rolesChanged(given: readonly RoleOf[], taken: readonly RoleOf[]): string {
  const who = (name: string | undefined) => name ?? 'somebody'
  const shown = [
    ...given.map(({ name, role }) => `gave ${who(name)} the role ${role}`),
    ...taken.map(({ name, role }) => `took the role ${role} from ${who(name)}`),
  ]
  const more = shown.length - ROLES_TOLD
  return inWords([
    ...shown.slice(0, ROLES_TOLD),
    ...(more > 0 ? [`changed ${more} ${more === 1 ? 'role' : 'roles'} more`] : []),
  ])
}
