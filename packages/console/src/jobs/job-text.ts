import type { Job, JobItem, JobStep } from '@steading/api/client'

const nouns: Record<string, { one: string; many: string }> = {
  floating_ip: { one: 'floating IP', many: 'floating IPs' },
  external_ip: { one: 'external IP', many: 'external IPs' },
  anti_affinity_group: { one: 'anti-affinity group', many: 'anti-affinity groups' },
  vpc: { one: 'VPC', many: 'VPCs' },
  vpc_subnet: { one: 'subnet', many: 'subnets' },
}

/** What things of a kind are called. */
export const nounOf = (kind: string): { one: string; many: string } =>
  nouns[kind] ?? { one: kind.replaceAll('_', ' '), many: `${kind.replaceAll('_', ' ')}s` }

const number = (count: number) => count.toLocaleString('en-US')

/** `1 disk`, `1,204 disks` */
export const counted = (kind: string, count: number): string =>
  `${number(count)} ${count === 1 ? nounOf(kind).one : nounOf(kind).many}`

const steps: Record<JobStep, { doing: string; done: string }> = {
  start: { doing: 'Start', done: 'started' },
  stop: { doing: 'Stop', done: 'stopped' },
  reboot: { doing: 'Reboot', done: 'rebooted' },
  snapshot: { doing: 'Snapshot', done: 'snapshotted' },
  delete: { doing: 'Delete', done: 'deleted' },
  detach: { doing: 'Detach', done: 'detached' },
  stop_import: { doing: 'Stop the import into', done: 'stopped importing' },
  finalize: { doing: 'Finalize', done: 'finalized' },
}

export const stepVerb = (step: JobStep): string => steps[step].doing
export const stepDone = (step: JobStep): string => steps[step].done

/** `Stop 500 instances in web`, `Delete disk grain in mill` */
export function jobTitle({ action, kind, targets, name, projectName }: Job): string {
  const what = name ? `${nounOf(kind).one} ${name}` : counted(kind, targets)
  return `${stepVerb(action)} ${what}${projectName ? ` in ${projectName}` : ''}`
}

const total = ({ counts }: Pick<Job, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** How many of a job's items are to be done at all, and how many have come to their end. */
export function jobProgress(job: Pick<Job, 'counts'>): { all: number; ended: number } {
  const { refused, waiting, running } = job.counts
  const all = total(job) - refused
  return { all, ended: all - waiting - running }
}

/** Targets that would be acted on. */
export const jobReach = ({ targets, counts }: Pick<Job, 'targets' | 'counts'>): number =>
  Math.max(0, targets - counts.refused)

/** `497 will be stopped, 3 refused` */
export function planText(job: Job): string {
  const { counts, action } = job
  const reach = Math.min(jobReach(job), counts.waiting)
  const inSteps = counts.waiting > reach && reach > 0 ? ` in ${number(counts.waiting)} steps` : ''
  const refused = counts.refused > 0 ? `, ${number(counts.refused)} refused` : ''
  return `${number(reach)} will be ${stepDone(action)}${inSteps}${refused}`
}

/**
 * `497 stopped, 3 failed`: how a job has ended, or stands. Where it takes more steps than there are
 * things, the steps are counted.
 */
export function resultText(job: Job): string {
  const { action, counts, targets } = job
  const done = `${number(counts.succeeded)} ${total(job) > targets ? 'steps done' : stepDone(action)}`
  const parts = [
    done,
    counts.failed > 0 && `${number(counts.failed)} failed`,
    counts.waiting + counts.running > 0 && `${number(counts.waiting + counts.running)} to go`,
    counts.cancelled > 0 && `${number(counts.cancelled)} cancelled`,
    counts.refused > 0 && `${number(counts.refused)} refused`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What is done to a thing: `Stop`, `Delete disk`, `Snapshot as grain-1`. */
export function itemText({ step, thing, makes }: JobItem, kind: Job['kind']): string {
  const what = thing.kind === kind ? '' : ` ${nounOf(thing.kind).one}`
  return `${stepVerb(step)}${what}${makes ? ` as ${makes}` : ''}`
}

export type JobOutcome = 'planned' | 'running' | 'done' | 'failed' | 'cancelled'

/** A job in a word: of one that is done, the worst that has happened. */
export function jobOutcome({ state, counts }: Pick<Job, 'state' | 'counts'>): JobOutcome {
  if (state !== 'done') return state
  if (counts.failed > 0) return 'failed'
  return counts.cancelled > 0 ? 'cancelled' : 'done'
}
