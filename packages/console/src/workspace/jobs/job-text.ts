import type { Job, JobItem, JobStep } from '@steading/api/client'
import { jobPhrase, kindNames, kindLabels } from '@steading/api/rules'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'

const words: Record<string, string> = {
  ...Object.fromEntries(kindNames.map((kind) => [kind, kindLabels(kind)])),
  ephemeral_ip: 'ephemeral IP',
  ip_pool_range: 'IP range',
  subnet_pool_member: 'member',
  silo_link: 'link to silo',
  affinity_group_member: 'membership in an affinity group',
  anti_affinity_group_member: 'membership in an anti-affinity group',
  multicast_group_member: 'membership in a multicast group',
}
const plurals: Record<string, string> = {
  silo_instance_template: 'templates of a silo',
  silo_service_account: 'service accounts of a silo',
  affinity_group_member: 'memberships in affinity groups',
  anti_affinity_group_member: 'memberships in anti-affinity groups',
  multicast_group_member: 'memberships in multicast groups',
  internet_gateway_ip_address: 'gateway IP addresses',
  silo_link: 'links to silos',
}

/** Noun for resources of a kind. */
export function nounOf(kind: string): { one: string; many: string } {
  const one = words[kind] ?? kind.replaceAll('_', ' ')
  return { one, many: plurals[kind] ?? `${one}s` }
}

/** `1 disk`, `1,204 disks` */
export const countedNoun = (kind: string, count: number): string =>
  `${formatNumber(count)} ${count === 1 ? nounOf(kind).one : nounOf(kind).many}`

const steps: Record<JobStep, { verb: string; doing: string; done: string }> = {
  start: { verb: 'Start', doing: 'Starting', done: 'started' },
  stop: { verb: 'Stop', doing: 'Stopping', done: 'stopped' },
  reboot: { verb: 'Reboot', doing: 'Rebooting', done: 'rebooted' },
  snapshot: { verb: 'Snapshot', doing: 'Creating', done: 'snapshotted' },
  tag: { verb: 'Tag', doing: 'Tagging', done: 'tagged' },
  restore: { verb: 'Restore', doing: 'Restoring', done: 'restored' },
  delete: { verb: 'Delete', doing: 'Deleting', done: 'deleted' },
  unset_boot_disk: { verb: 'Unset boot disk of', doing: 'Unsetting', done: 'freed of boot disks' },
  detach: { verb: 'Detach', doing: 'Detaching', done: 'detached' },
  stop_import: { verb: 'End upload to', doing: 'Ending', done: 'no longer uploaded to' },
  empty: { verb: 'Empty', doing: 'Emptying', done: 'emptied' },
  finalize: { verb: 'Finalize', doing: 'Finalizing', done: 'finalized' },
}

export const stepVerb = (step: JobStep): string => steps[step].verb
/** The state of a resource during a step: `Stopping`. */
export const stepDoing = (step: JobStep): string => steps[step].doing
export const stepDone = (step: JobStep): string => steps[step].done

/** `Stop 500 instances in web`, `Delete disk grain in mill` */
export function jobTitle({ action, kind, targets, name, inside, projectName }: Job): string {
  const phrase = capitalized(jobPhrase(action, { kind, name, inside, count: targets }))
  return `${phrase}${projectName ? ` in ${projectName}` : ''}`
}

const total = ({ counts }: Pick<Job, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Number of a job's items that are not refused, and of the finished ones. */
export function jobProgress(job: Pick<Job, 'counts'>): { all: number; ended: number } {
  const { refused, waiting, running } = job.counts
  const all = total(job) - refused
  return { all, ended: all - waiting - running }
}

/** Whether each target is exactly one item, without further resources. */
export const isPlain = (job: Pick<Job, 'targets' | 'counts'>): boolean => total(job) === job.targets

/**
 * `497 will be stopped, 3 refused`
 * @param reach number of targets that the job affects
 */
export function planText({ counts, action }: Job, reach: number): string {
  const inSteps =
    counts.waiting > reach && reach > 0 ? ` in ${formatNumber(counts.waiting)} steps` : ''
  const refused = counts.refused > 0 ? `, ${formatNumber(counts.refused)} refused` : ''
  return `${formatNumber(reach)} will be ${stepDone(action)}${inSteps}${refused}`
}

/**
 * `497 stopped, 3 failed`: the result of a job so far. With more steps than targets, the steps
 * are counted.
 */
export function resultText(job: Job): string {
  const { action, counts } = job
  const done = `${formatNumber(counts.succeeded)} ${isPlain(job) ? stepDone(action) : 'steps done'}`
  const parts = [
    done,
    counts.failed > 0 && `${formatNumber(counts.failed)} failed`,
    counts.waiting + counts.running > 0 && `${formatNumber(counts.waiting + counts.running)} to go`,
    counts.cancelled > 0 && `${formatNumber(counts.cancelled)} cancelled`,
    counts.refused > 0 && `${formatNumber(counts.refused)} refused`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The step of an item: `Stop`, `Delete disk`, `Snapshot as grain-1`. */
export function itemText({ step, thing, makes }: JobItem, kind: Job['kind']): string {
  const what = thing.kind === kind ? '' : ` ${nounOf(thing.kind).one}`
  return `${stepVerb(step)}${what}${makes ? ` as ${makes}` : ''}`
}

/** The name of a resource, with its parents: `front (yard)`. */
export const nameWithParents = ({ name, inside }: JobItem['thing']): string =>
  inside.length > 0 ? `${name} (${inside.join(', ')})` : name
